import type { Clock } from '@ports/clock.port';
import { AppendOutcomeUnknown, StreamMovedOn } from '@ports/event-store.port';
import { reasonOf, TOLD_AGAIN_AFTER_MS } from '@ports/failure';

/** Which lines about a trouble that goes on are worth the log: the first of each cause, then one a minute, and that it is over. */
export class RepeatedTrouble {
  /** By cause, as `Clock.elapsed` counts. */
  private readonly toldAt = new Map<string, number>();
  private owesGoodNews = false;

  constructor(private readonly clock: Clock) {}

  /** Whether a failure is to be told. */
  isNews(error: unknown): boolean {
    const cause = causeOf(error);
    const now = this.clock.elapsed();
    for (const [known, at] of this.toldAt) if (now - at >= TOLD_AGAIN_AFTER_MS) this.toldAt.delete(known);
    if (this.toldAt.has(cause)) return false;
    this.toldAt.set(cause, now);
    this.owesGoodNews = true;
    return true;
  }

  /** Whether a success ends something that was told. */
  endsIt(): boolean {
    const ends = this.owesGoodNews;
    this.owesGoodNews = false;
    return ends;
  }
}

/** Which stream it was that the store did not take makes no other cause. */
function causeOf(error: unknown): string {
  return error instanceof AppendOutcomeUnknown || error instanceof StreamMovedOn ? error.name : reasonOf(error);
}
