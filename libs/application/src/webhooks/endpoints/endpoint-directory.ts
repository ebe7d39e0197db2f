import { Injectable } from '@nestjs/common';
import { endpointOf, knownEndpoint, type Endpoint, type Endpoints } from '@domain/endpoint/endpoint';
import type { EndpointEvent } from '@domain/endpoint/endpoint.events';
import { endpointsDecider, type EndpointCommand } from '@domain/endpoint/endpoints.decider';
import type { RequestContext } from '../../runtime/request-context.js';
import { findEvent } from '../../streams/stream-records.js';
import { StreamRunner, type Timed } from '../../streams/stream-runner.js';

/** A project's webhook endpoints as they are now. */
@Injectable()
export class EndpointDirectory {
  constructor(private readonly streams: StreamRunner) {}

  async all(projectId: string): Promise<Endpoints> {
    return (await this.streams.load(endpointsStream(projectId), endpointsDecider)).state;
  }

  /** The endpoint; null when it is unknown, deleted or another project's. */
  async find(projectId: string, endpointId: string): Promise<Endpoint | null> {
    return endpointOf(await this.all(projectId), endpointId) ?? null;
  }

  /** The endpoint. Rejects with `resource_missing` when it is unknown, deleted or another project's. */
  async load(projectId: string, endpointId: string): Promise<Endpoint> {
    return knownEndpoint(await this.all(projectId), endpointId);
  }

  /** The latest such event of an endpoint, deleted or not, since the request first began; null when there is none. */
  latest({ projectId, startedAt }: RequestContext, endpointId: string, isIt: (event: EndpointEvent) => boolean) {
    const isTheirs = (event: EndpointEvent) => event.endpointId === endpointId && isIt(event);
    return findEvent(this.streams.history<EndpointEvent>(endpointsStream(projectId), startedAt), isTheirs);
  }

  /** Runs a command on the project's endpoints; returns them as they are afterwards. */
  async run(projectId: string, command: EndpointCommand | Timed<EndpointCommand>, commandId: string): Promise<Endpoints> {
    return (await this.streams.run(endpointsStream(projectId), endpointsDecider, command, { commandId })).state;
  }
}

export function endpointsStream(projectId: string): string {
  return `endpoints-${projectId}`;
}
