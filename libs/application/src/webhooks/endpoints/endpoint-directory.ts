import { Injectable } from '@nestjs/common';
import { endpointOf, knownEndpoint, type Endpoint, type Endpoints } from '@domain/endpoint/endpoint';
import type { EndpointEvent } from '@domain/endpoint/endpoint.events';
import { endpointsDecider, type EndpointCommand } from '@domain/endpoint/endpoints.decider';
import { Clock } from '@ports/clock.port';
import type { CommandOrigin, RequestContext } from '../../runtime/request-context.js';
import { RecentReads } from '../../streams/recent-reads.js';
import { findEvent } from '../../streams/stream-records.js';
import { StreamRunner, type Timed } from '../../streams/stream-runner.js';

@Injectable()
export class EndpointDirectory {
  private readonly reads: RecentReads<Endpoints>;

  constructor(
    private readonly streams: StreamRunner,
    clock: Clock,
  ) {
    const load = async (stream: string) => (await streams.load(stream, endpointsDecider)).state;
    this.reads = new RecentReads(streams.cache, clock, load);
  }

  all(projectId: string): Promise<Endpoints> {
    return this.reads.newest(endpointsStream(projectId));
  }

  /** Null when unknown, deleted or another project's. An enabled one may be a second old, so that attempts read nothing. */
  async find(projectId: string, endpointId: string): Promise<Endpoint | null> {
    const known = endpointOf(await this.reads.recent(endpointsStream(projectId)), endpointId);
    if (known?.status === 'enabled') return known;
    return this.newest(projectId, endpointId);
  }

  /** As `find`, and never old. */
  async newest(projectId: string, endpointId: string): Promise<Endpoint | null> {
    return endpointOf(await this.all(projectId), endpointId) ?? null;
  }

  /** Rejects with `resource_missing` when the endpoint is unknown, deleted or another project's. */
  async load(projectId: string, endpointId: string): Promise<Endpoint> {
    return knownEndpoint(await this.all(projectId), endpointId);
  }

  /** Whether the endpoint was ever registered in this project, deleted or not. */
  async everHad(projectId: string, endpointId: string): Promise<boolean> {
    if (endpointOf(await this.all(projectId), endpointId)) return true;
    const isIt = (event: EndpointEvent) => event.type === 'EndpointRegistered' && event.endpointId === endpointId;
    return (await findEvent(this.streams.history<EndpointEvent>(endpointsStream(projectId), 0), isIt)) !== null;
  }

  /** The endpoint's latest such event since the request first began, deleted or not. */
  latest({ projectId, startedAt }: RequestContext, endpointId: string, isIt: (event: EndpointEvent) => boolean) {
    const isTheirs = (event: EndpointEvent) => event.endpointId === endpointId && isIt(event);
    return findEvent(this.streams.history<EndpointEvent>(endpointsStream(projectId), startedAt), isTheirs);
  }

  async run(
    projectId: string,
    command: EndpointCommand | Timed<EndpointCommand>,
    { commandId, envelope }: CommandOrigin,
  ): Promise<Endpoints> {
    return (await this.streams.run(endpointsStream(projectId), endpointsDecider, command, envelope, { commandId })).state;
  }
}

export function endpointsStream(projectId: string): string {
  return `endpoints-${projectId}`;
}
