import type { Clock } from '@ports/clock.port';

const LOOKED_EVERY_MS = 250;
/** After so long without a tick the process was stopped, or too busy to read. */
const MIN_STALL_MS = 1_000;

/** When the event loop stalled, measured while someone watches. */
export class EventLoopStalls {
  private watching = 0;
  private lookedAt = 0;
  private resumedAt = -Infinity;
  private stopLooking: () => void = () => undefined;

  constructor(private readonly clock: Clock) {}

  watch(): void {
    if (this.watching++ > 0) return this.look();
    this.lookedAt = this.clock.elapsed();
    this.lookLater();
  }

  /** Call once for each `watch`. */
  leave(): void {
    if (--this.watching === 0) this.stopLooking();
  }

  hasStalledSince(time: number): boolean {
    this.look();
    return this.resumedAt > time;
  }

  private look(): void {
    const now = this.clock.elapsed();
    if (now - this.lookedAt >= MIN_STALL_MS) this.resumedAt = now;
    this.lookedAt = now;
  }

  private lookLater(): void {
    this.stopLooking = this.clock.after(LOOKED_EVERY_MS, () => {
      this.look();
      this.lookLater();
    });
  }
}
