import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Endpoints } from '@domain/endpoint/endpoint';
import type { EndpointEvent } from '@domain/endpoint/endpoint.events';
import { EventStore, type Position } from '@ports/event-store.port';
import { endpointsStream } from '../endpoints/endpoint-directory.js';
import { weightOf } from '../../streams/weight.js';
import { BEGINNING, continued, endpointsAt, type EndpointTimeline } from './endpoint-timeline.js';

const PROJECTS_CACHED = 1_000;
/** In characters: each of fifty endpoints may have 16 KiB of metadata and as much in headers. */
const CHARACTERS_CACHED = 32 * 1_048_576;
const READ_CHUNK = 1_000;

interface CachedTimeline {
  readonly timeline: EndpointTimeline;
  readonly weight: number;
}

@Injectable()
export class EndpointHistory {
  private readonly timelines = new LRUCache<string, CachedTimeline>({
    max: PROJECTS_CACHED,
    maxSize: CHARACTERS_CACHED,
    sizeCalculation: ({ weight }) => Math.max(1, weight),
  });

  constructor(private readonly store: EventStore) {
    store.onReplaced(() => this.timelines.clear());
  }

  /** Returns a lookup for positions from `from` to the head: one read serves many positions. */
  async endpointsOf(projectId: string, from: Position): Promise<(position: Position) => Endpoints> {
    const known = this.timelines.get(projectId)?.timeline;
    let timeline = known && known.position <= from ? known : BEGINNING;
    for (let read = READ_CHUNK; read === READ_CHUNK;) {
      const options = { from: timeline.revision + 1, limit: READ_CHUNK };
      const changes = await this.store.read<EndpointEvent>(endpointsStream(projectId), options);
      timeline = continued(timeline, changes, from);
      read = changes.length;
    }
    this.remember(projectId, timeline);
    return endpointsAt(timeline);
  }

  private remember(projectId: string, timeline: EndpointTimeline): void {
    const before = this.timelines.peek(projectId);
    const isWeighed = before?.timeline.revision === timeline.revision;
    const weight = isWeighed ? before.weight : weightOf(timeline);
    this.timelines.set(projectId, { timeline, weight });
  }
}
