import type { Envelope } from '@domain/kernel/envelope';

/** Periodic work on what has become due. */
export interface Sweeper {
  readonly name: string;
  /** The pause between two sweeps. The first runs at once. */
  readonly everyMs: number;
  /**
   * Must be idempotent and may be cut short; stops on abort. `now` is in epoch milliseconds, `round` the cause of its appends.
   */
  sweep(now: number, signal: AbortSignal, round: Envelope): Promise<void>;
}
