import type { DeliveryPointer } from '../delivery-pointer.js';

/** Attempts unanswered by one endpoint: the small share, and what a good one can grow to. */
export const SMALL_SHARE = 4;
const LARGE_SHARE = 64;
/** Pointers remembered for an endpoint whose share is in use; beyond that it has to look them up. */
export const REMEMBERED = 1_000;

/** What one endpoint may be asked at once, what it has not answered, and what comes next. */
export class Share {
  /** Attempts that the endpoint has not answered yet: they take up its share. */
  unanswered = 0;
  /** Attempts whose outcome is not stored yet, those included. */
  open = 0;
  size = SMALL_SHARE;
  readonly waiting: DeliveryPointer[] = [];
  /** Pointers were dropped, or never published: there is more to do than is remembered. */
  dropped = false;
  refilling = false;
  /** How many of those that wait were told of, from the first on. */
  private told = 0;

  get isIdle(): boolean {
    return this.open === 0 && this.waiting.length === 0 && !this.refilling;
  }

  /** Grows with every attempt that goes well, and is small again after one that does not. */
  judge(well: boolean): void {
    this.size = well ? Math.min(this.size + 1, LARGE_SHARE) : SMALL_SHARE;
  }

  /** The first that waits. `tell` hears of those that come next, so many at a time and each once. */
  take(atOnce: number, tell: (next: readonly DeliveryPointer[]) => void): DeliveryPointer | undefined {
    if (this.told === 0 && atOnce > 1 && this.waiting.length > 1) {
      const next = this.waiting.slice(0, atOnce);
      this.told = next.length;
      tell(next);
    }
    if (this.told > 0) this.told--;
    return this.waiting.shift();
  }
}
