import { Injectable } from '@nestjs/common';
import type { Endpoint } from '@domain/endpoint/endpoint';
import { EndpointDirectory } from '../../webhooks/endpoints/endpoint-directory.js';

/** The endpoints that issues are about, and since when deleted ones are missed. */
@Injectable()
export class KnownEndpoints {
  private readonly missedSince = new Map<string, number>();

  constructor(private readonly directory: EndpointDirectory) {}

  find(projectId: string | null, endpointId: string): Promise<Endpoint | null> {
    return projectId === null ? Promise.resolve(null) : this.directory.find(projectId, endpointId);
  }

  /** The host of its URL; null once it is deleted. */
  async nameOf(projectId: string | null, endpointId: string): Promise<string | null> {
    const endpoint = await this.find(projectId, endpointId);
    return endpoint && new URL(endpoint.url).host;
  }

  /** Since when an endpoint that is deleted was found so. */
  goneSince(endpointId: string, now: number): number {
    const since = this.missedSince.get(endpointId) ?? now;
    this.missedSince.set(endpointId, since);
    return since;
  }
}
