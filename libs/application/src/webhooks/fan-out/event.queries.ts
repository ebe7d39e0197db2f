import { Query } from '@nestjs/cqrs';
import type { Condition } from '@ports/read-models.port';
import type { Page, PageRequest } from '../../paging/page.js';

export interface DeliverySummary {
  readonly total: number;
  readonly succeeded: number;
  /** Everything that is not finished. */
  readonly pending: number;
  readonly failed: number;
  readonly cancelled: number;
}

/** An emitted event as the log shows it. */
export interface EventView {
  readonly id: string;
  /** JSON text: the bytes receivers get. */
  readonly body: string;
  readonly summary: DeliverySummary;
}

/** A page of the last 30 days' events, whether or not anybody got them. */
export class ListEvents extends Query<Page<EventView>> {
  constructor(
    readonly projectId: string,
    /** Kinds, or their beginning and `.*`, or `*`; empty for all. */
    readonly types: readonly string[],
    /** On `createdAt` and `objectId`. */
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
