import { Query } from '@nestjs/cqrs';
import type { Condition } from '@ports/read-models.port';
import type { Page, PageRequest } from '../../paging/page.js';

export interface DeliverySummary {
  readonly total: number;
  readonly succeeded: number;
  readonly pending: number;
  readonly failed: number;
  readonly cancelled: number;
}

export interface EventView {
  readonly id: string;
  /** JSON text, byte for byte as receivers get it. */
  readonly body: string;
  readonly summary: DeliverySummary;
}

export class ListEvents extends Query<Page<EventView>> {
  constructor(
    readonly projectId: string,
    /** Event types, or a prefix and `.*`, or `*`; empty for all. */
    readonly types: readonly string[],
    readonly conditions: readonly Condition[],
    readonly page: PageRequest,
  ) {
    super();
  }
}

/** Refuses with `event_expired` after 30 days. */
export class GetEvent extends Query<EventView> {
  constructor(
    readonly projectId: string,
    readonly eventId: string,
  ) {
    super();
  }
}
