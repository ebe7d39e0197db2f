import { Query } from '@nestjs/cqrs';
import type { Condition } from '@ports/read-models.port';
import type { Page, PageRequest } from '../../paging/page.js';

export interface DeliverySummary {
  readonly total: number;
  readonly succeeded: number;
  /** Deliveries that are not finished. */
  readonly pending: number;
  readonly failed: number;
  readonly cancelled: number;
}

/** An emitted event with a summary of its deliveries. */
export interface EventView {
  readonly id: string;
  /** The webhook's body: JSON text, byte for byte as receivers get it. */
  readonly body: string;
  readonly summary: DeliverySummary;
}

/** A page of the last 30 days' events, delivered to an endpoint or not. */
export class ListEvents extends Query<Page<EventView>> {
  constructor(
    readonly projectId: string,
    /** Event types, or a prefix and `.*`, or `*`; empty for all. */
    readonly types: readonly string[],
    /** Conditions on `createdAt` and `objectId`. */
    readonly conditions: readonly Condition[],
    readonly page: PageRequest,
  ) {
    super();
  }
}

/** One event. Refuses with `event_expired` after 30 days. */
export class GetEvent extends Query<EventView> {
  constructor(
    readonly projectId: string,
    readonly eventId: string,
  ) {
    super();
  }
}
