import { Query } from '@nestjs/cqrs';
import type { DurationPercentiles } from '../../read-models/duration-histogram.js';
import type { StatsWindow } from '../../read-models/stats-window.js';
import type { EndedCounts } from './delivery-slot.js';

export interface WebhookStats {
  readonly window: StatsWindow;
  readonly deliveries: Pick<EndedCounts, 'succeeded' | 'failed' | 'cancelled'> & { readonly open: number };
  readonly attempts: EndedCounts['attempts'];
  /** Of attempts whose duration is known. */
  readonly durationMs: DurationPercentiles;
  /** Always null for a project. */
  readonly failingSince: number | null;
  readonly oldestPendingAt: number | null;
  readonly series: readonly StatsPoint[];
}

export interface StatsPoint {
  readonly at: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly attempts: number;
  readonly p95Ms: number | null;
}

/** How the webhooks of a project, or to one of its endpoints, went. Rejects with `resource_missing` for an unknown endpoint. */
export class GetWebhookStats extends Query<WebhookStats> {
  constructor(
    readonly projectId: string,
    /** Null for all of the project. */
    readonly endpointId: string | null,
    readonly window: StatsWindow,
  ) {
    super();
  }
}
