import { SKEW_MS } from '@domain/kernel/skew';
import type { Clock } from '@ports/clock.port';
import { TOLD_AGAIN_AFTER_MS } from '@ports/failure';
import type { FoundPage } from './log-pages.js';

/** An event that was long in being committed seems to be older than it can be: one alone tells nothing. */
const IN_A_ROW = 3;

/**
 * Compares the server's clock with this process's by the times at which events were written. An event that a look finds, and
 * the look before, which reached the log's end, did not find, was written between the two, however late it is found.
 */
export class ClockGauge {
  /** When the last look that reached the log's end began. */
  private endSeenFrom: number | undefined;
  private inARow = 0;
  private toldAt = -Infinity;

  /** `tell` learns, once a minute, by how much the server's clock is ahead, where that is more than clocks may differ. */
  constructor(
    private readonly clock: Clock,
    private readonly tell: (aheadMs: number) => void,
  ) {}

  /** Takes note of what a look found that began then. */
  note({ writtenAt, isLast }: Pick<FoundPage, 'writtenAt' | 'isLast'>, begunAt: number): void {
    if (writtenAt !== null && this.endSeenFrom !== undefined) this.compare(writtenAt, this.endSeenFrom);
    if (isLast) this.endSeenFrom = begunAt;
  }

  /** To be called where the log was replaced: the first events that are read of the new one may be old. */
  forget(): void {
    this.endSeenFrom = undefined;
  }

  private compare(writtenAt: number, earliest: number): void {
    const latest = this.clock.now();
    const aheadMs = writtenAt > latest ? writtenAt - latest : Math.min(0, writtenAt - earliest);
    this.inARow = Math.abs(aheadMs) > SKEW_MS ? this.inARow + 1 : 0;
    const now = this.clock.elapsed();
    if (this.inARow < IN_A_ROW || now - this.toldAt < TOLD_AGAIN_AFTER_MS) return;
    this.toldAt = now;
    this.tell(aheadMs);
  }
}
