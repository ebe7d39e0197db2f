import { Logger } from '@nestjs/common';
import type { Clock } from '@ports/clock.port';
import { LOG_AGAIN_AFTER_MS } from '@ports/failure';

/** An outage ends after this long without a failure: on a full disk small writes may succeed in between. */
const OVER_AFTER_MS = 10_000;

/** Whether writes are stored in time. Logs why not, once a minute per cause. */
export class StoreHealth {
  private readonly log = new Logger('store');
  private isWell = true;
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
    this.log.warn('writes are stored again');
  }

  /** The reason is logged, so it must not quote data. */
  notStored(reason: string): void {
    this.isWell = false;
    const now = this.clock.elapsed();
    this.lastNotStoredAt = now;
    if (now - (this.toldAt.get(reason) ?? -Infinity) < LOG_AGAIN_AFTER_MS) return;
    this.toldAt.set(reason, now);
    this.owesGoodNews = true;
    this.tell(reason);
  }

  lost(reason: string): void {
    this.isWell = false;
    this.tell(reason);
  }

  private tell(reason: string): void {
    this.log.error(`writes are not stored: ${reason}`);
  }
}
