import { Query } from '@nestjs/cqrs';
import type { DurationPercentiles } from '../../read-models/duration-histogram.js';
import type { StatsWindow } from '../../read-models/stats-window.js';
import type { TurnCounts } from '../state/turn-slot.js';

export interface ConversationStats {
  readonly window: StatsWindow;
  readonly messages: number;
  readonly turns: Pick<TurnCounts, 'replied' | 'failed'>;
  /** From messages to their replies. */
  readonly durationMs: DurationPercentiles;
  readonly series: readonly ConversationStatsPoint[];
}

interface ConversationStatsPoint extends Omit<TurnCounts, 'durations'> {
  readonly at: number;
  readonly p95Ms: number | null;
}

/** What was said in the conversations of a project. Rejects with `resource_missing`. */
export class GetConversationStats extends Query<ConversationStats> {
  constructor(
    readonly projectId: string,
    readonly window: StatsWindow,
  ) {
    super();
  }
}
