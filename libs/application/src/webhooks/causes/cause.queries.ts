import { Query } from '@nestjs/cqrs';
import type { Recorded } from '@ports/event-store.port';

export interface CauseChain {
  /** Stored events, each caused by the one after it. */
  readonly events: readonly Recorded[];
  /** What the last of them was caused by: `req_…`, `task_…` or `timer:<name>`. Null where that is unknown, or too far back. */
  readonly beginning: string | null;
}

/** From the change that emitted an event. Refuses with `resource_missing`, `event_expired`. */
export class GetCausesOfEvent extends Query<CauseChain> {
  constructor(
    readonly projectId: string,
    readonly eventId: string,
  ) {
    super();
  }
}

/** From the scheduling of a delivery. Refuses with `resource_missing`, `event_expired`. */
export class GetCausesOfDelivery extends Query<CauseChain> {
  constructor(
    readonly projectId: string,
    readonly deliveryId: string,
  ) {
    super();
  }
}
