import type { Envelope } from '@domain/kernel/envelope';

/** Periodic work on what has become due. */
export interface Sweeper {
  readonly name: string;
  /** The pause between the end of one sweep and the start of the next. The first runs at once. */
  readonly everyMs: number;
  /**
   * Does one sweep as of `now` (epoch milliseconds). It must be idempotent, may be cut short, and stops early when the signal
   * aborts. `round` is the envelope of what it appends.
   */
  sweep(now: number, signal: AbortSignal, round: Envelope): Promise<void>;
}
