import { SKEW_MS } from '@domain/kernel/skew';
import type { Clock } from '@ports/clock.port';
import { LOG_AGAIN_AFTER_MS } from '@ports/failure';
import type { FoundPage } from './log-pages.js';

/** A slow commit makes an event look too old, so one alone proves nothing. */
const IN_A_ROW = 3;

/**
 * Compares the server's clock with this process's by the times of events. An event missing from a poll that reached the end of the log, and
 * found by the next, was written between the two.
 */
export class ClockGauge {
  private endSeenFrom: number | undefined;
  private inARow = 0;
  private toldAt = -Infinity;

  /** `tell` gets the server's lead once a minute while it exceeds the allowed skew. */
  constructor(
    private readonly clock: Clock,
    private readonly tell: (aheadMs: number) => void,
  ) {}

  note({ writtenAt, isLast }: Pick<FoundPage, 'writtenAt' | 'isLast'>, begunAt: number): void {
    if (writtenAt !== null && this.endSeenFrom !== undefined) this.compare(writtenAt, this.endSeenFrom);
    if (isLast) this.endSeenFrom = begunAt;
  }

  /** Call when the log was replaced: the first events read of the new one may be old. */
  forget(): void {
    this.endSeenFrom = undefined;
  }

  private compare(writtenAt: number, earliest: number): void {
    const latest = this.clock.now();
    const aheadMs = writtenAt > latest ? writtenAt - latest : Math.min(0, writtenAt - earliest);
    this.inARow = Math.abs(aheadMs) > SKEW_MS ? this.inARow + 1 : 0;
    const now = this.clock.elapsed();
    if (this.inARow < IN_A_ROW || now - this.toldAt < LOG_AGAIN_AFTER_MS) return;
    this.toldAt = now;
    this.tell(aheadMs);
  }
}
