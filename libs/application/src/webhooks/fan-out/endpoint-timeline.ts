import { fold } from '@domain/kernel/decider';
import type { Endpoints } from '@domain/endpoint/endpoint';
import type { EndpointEvent } from '@domain/endpoint/endpoint.events';
import { endpointsDecider } from '@domain/endpoint/endpoints.decider';
import { START, type Position, type Recorded } from '@ports/event-store.port';

type Change = Recorded<EndpointEvent>;

/** A project's endpoints as of a position, and the changes since. Earlier positions cannot be looked up. */
export interface EndpointTimeline {
  readonly state: Endpoints;
  /** Of the last change in the state. */
  readonly position: Position;
  readonly later: readonly Change[];
  /** Of the last change of all. */
  readonly revision: number;
}

export const BEGINNING: EndpointTimeline = { state: endpointsDecider.initial, position: START, later: [], revision: -1 };

/** Adds the following changes; afterwards `from` is the earliest position. */
export function continued(timeline: EndpointTimeline, changes: readonly Change[], from: Position): EndpointTimeline {
  const all = [...timeline.later, ...changes];
  const settled = all.slice(0, reachedBy(all, from));
  return {
    state: evolved(timeline.state, settled),
    position: settled.at(-1)?.position ?? timeline.position,
    later: all.slice(settled.length),
    revision: all.at(-1)?.revision ?? timeline.revision,
  };
}

/** Positions mostly grow, so each fold continues the last. */
export function endpointsAt({ state, later }: EndpointTimeline): (position: Position) => Endpoints {
  let last = { count: 0, state };
  return (position) => {
    const count = reachedBy(later, position);
    const base = last.count <= count ? last : { count: 0, state };
    last = { count, state: evolved(base.state, later.slice(base.count, count)) };
    return last.state;
  };
}

function reachedBy(changes: readonly Change[], position: Position): number {
  const beyond = changes.findIndex((change) => change.position > position);
  return beyond < 0 ? changes.length : beyond;
}

function evolved(state: Endpoints, changes: readonly Change[]): Endpoints {
  return fold(
    endpointsDecider,
    changes.map(({ event }) => event),
    state,
  );
}
