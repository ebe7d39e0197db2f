import { Injectable } from '@nestjs/common';
import type { Endpoints } from '@domain/endpoint/endpoint';
import type { EndpointEvent } from '@domain/endpoint/endpoint.events';
import { EventStore, type Position } from '@ports/event-store.port';
import { endpointsStream } from '../endpoints/endpoint-directory.js';
import { BEGINNING, continued, tellerOf, type EndpointTimeline } from './endpoint-timeline.js';

const MOST_PROJECTS = 1_000;
const READ_CHUNK = 1_000;

/** What a project's endpoints were at any position of the log. */
@Injectable()
export class EndpointHistory {
  private readonly timelines = new Map<string, EndpointTimeline>();

  constructor(private readonly store: EventStore) {}

  /** The endpoints as of a position that the log has reached and that is not before `from`; read once for several positions. */
  async endpointsOf(projectId: string, from: Position): Promise<(position: Position) => Endpoints> {
    const known = this.timelines.get(projectId);
    let timeline = known && known.position <= from ? known : BEGINNING;
    for (let read = READ_CHUNK; read === READ_CHUNK;) {
      const options = { from: timeline.revision + 1, limit: READ_CHUNK };
      const changes = await this.store.read<EndpointEvent>(endpointsStream(projectId), options);
      timeline = continued(timeline, changes, from);
      read = changes.length;
    }
    this.remember(projectId, timeline);
    return tellerOf(timeline);
  }

  private remember(projectId: string, timeline: EndpointTimeline): void {
    this.timelines.delete(projectId);
    this.timelines.set(projectId, timeline);
    const oldest = this.timelines.keys().next();
    if (this.timelines.size > MOST_PROJECTS && !oldest.done) this.timelines.delete(oldest.value);
  }
}
