import { Injectable } from '@nestjs/common';
import { endpointOf, knownEndpoint, type Endpoint, type Endpoints } from '@domain/endpoint/endpoint';
import type { EndpointEvent } from '@domain/endpoint/endpoint.events';
import { endpointsDecider, type EndpointCommand } from '@domain/endpoint/endpoints.decider';
import { Clock } from '@ports/clock.port';
import type { CommandOrigin, RequestContext } from '../../runtime/request-context.js';
import { RecentReads } from '../../streams/recent-reads.js';
import { findEvent } from '../../streams/stream-records.js';
import { StreamRunner, type Timed } from '../../streams/stream-runner.js';

/** A project's webhook endpoints as they are now. */
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

  /**
   * The endpoint as an attempt needs it; null when it is unknown, deleted or another project's. One that may be sent to may be so
   * as of a second ago, so that an attempt reads nothing. Under load an attempt may also wait between this read and its POST. One
   * that may not is so now.
   */
  async find(projectId: string, endpointId: string): Promise<Endpoint | null> {
    const known = endpointOf(await this.reads.recent(endpointsStream(projectId)), endpointId);
    if (known?.status === 'enabled') return known;
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
