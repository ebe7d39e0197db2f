import { Query } from '@nestjs/cqrs';

export interface TierBacklog {
  /** As in the topics' names; null for attempts without a wait. */
  readonly tier: string | null;
  readonly waitMs: number;
  readonly open: number;
}

/** A project's unfinished deliveries by the wait before their next attempt, shortest first. Rejects with `resource_missing`. */
export class GetDeliveryBacklog extends Query<readonly TierBacklog[]> {
  constructor(readonly projectId: string) {
    super();
  }
}
