import { Injectable } from '@nestjs/common';
import type { Endpoints } from '@domain/endpoint/endpoint';
import type { EndpointEvent } from '@domain/endpoint/endpoint.events';
import { endpointsDecider } from '@domain/endpoint/endpoints.decider';
import { EventStore, type Position, type Recorded } from '@ports/event-store.port';
import { endpointsStream } from '../endpoints/endpoint-directory.js';

interface Timeline {
  readonly records: Recorded<EndpointEvent>[];
  /** The fold of the first `count` records. */
  folded: { readonly count: number; readonly state: Endpoints };
}

const MOST_PROJECTS = 1_000;
const NOTHING = { count: 0, state: endpointsDecider.initial };

/** What a project's endpoints were at any position of the log. */
@Injectable()
export class EndpointHistory {
  private readonly timelines = new Map<string, Timeline>();

  constructor(private readonly store: EventStore) {}

  /** The endpoints as of a position that the log has reached; read once for several positions. */
  async of(projectId: string): Promise<(position: Position) => Endpoints> {
    const timeline = this.timelines.get(projectId) ?? { records: [], folded: NOTHING };
    this.timelines.delete(projectId);
    this.timelines.set(projectId, timeline);
    const from = (timeline.records.at(-1)?.revision ?? -1) + 1;
    const fresh = await this.store.read<EndpointEvent>(endpointsStream(projectId), { from });
    timeline.records.push(...fresh.filter(({ revision }) => revision > (timeline.records.at(-1)?.revision ?? -1)));
    this.forgetOldest();
    return (position) => asOf(timeline, position);
  }

  private forgetOldest(): void {
    const oldest = this.timelines.keys().next();
    if (this.timelines.size > MOST_PROJECTS && !oldest.done) this.timelines.delete(oldest.value);
  }
}

/** Positions mostly grow, so that the last fold is nearly always a beginning of the next. */
function asOf(timeline: Timeline, position: Position): Endpoints {
  const later = timeline.records.findIndex((record) => record.position > position);
  const count = later < 0 ? timeline.records.length : later;
  const base = timeline.folded.count <= count ? timeline.folded : NOTHING;
  const missing = timeline.records.slice(base.count, count);
  const state = missing.reduce((endpoints, { event }) => endpointsDecider.evolve(endpoints, event), base.state);
  timeline.folded = { count, state };
  return state;
}
