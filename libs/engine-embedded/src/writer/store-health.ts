import { Logger } from '@nestjs/common';
import type { Clock } from '@ports/clock.port';
import { TOLD_AGAIN_AFTER_MS } from '@ports/failure';

/** Something small may fit in between on a disk that is full: only then is it over. */
const OVER_AFTER_MS = 10_000;

/** Whether what is written is stored in time. The log is told why not, and of a long outage once a minute for each cause. */
export class StoreHealth {
  private readonly log = new Logger('store');
  private isWell = true;
  /** By cause, as `Clock.elapsed` counts. */
  private readonly toldAt = new Map<string, number>();
  private owesGoodNews = false;
  private lastNotStoredAt = -Infinity;

  constructor(private readonly clock: Clock) {}

  get well(): boolean {
    return this.isWell;
  }

  stored(): void {
    this.isWell = true;
    if (!this.owesGoodNews || this.clock.elapsed() - this.lastNotStoredAt < OVER_AFTER_MS) return;
    this.owesGoodNews = false;
    this.toldAt.clear();
    this.log.warn('what is written is stored again');
  }

  /** The reason, here as below, must quote nothing that was written. */
  notStored(reason: string): void {
    this.isWell = false;
    const now = this.clock.elapsed();
    this.lastNotStoredAt = now;
    if (now - (this.toldAt.get(reason) ?? -Infinity) < TOLD_AGAIN_AFTER_MS) return;
    this.toldAt.set(reason, now);
    this.owesGoodNews = true;
    this.tell(reason);
  }

  /** Nothing will be stored any more. */
  lost(reason: string): void {
    this.isWell = false;
    this.tell(reason);
  }

  private tell(reason: string): void {
    this.log.error(`what is written is not stored: ${reason}`);
  }
}
