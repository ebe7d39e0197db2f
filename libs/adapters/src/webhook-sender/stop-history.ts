import type { Clock } from '@ports/clock.port';

const LOOKED_EVERY_MS = 250;
/** So long without a look, and the process was stopped, or too busy to read. */
const MIN_STOP_MS = 1_000;

/** When the process stood still, noticed while somebody watches. */
export class StopHistory {
  private watching = 0;
  private lookedAt = 0;
  private wentOnAt = -Infinity;
  private stopLooking: () => void = () => undefined;

  constructor(private readonly clock: Clock) {}

  watch(): void {
    if (this.watching++ > 0) return this.look();
    this.lookedAt = this.clock.elapsed();
    this.lookLater();
  }

  /** To be called once for each `watch`. */
  leave(): void {
    if (--this.watching === 0) this.stopLooking();
  }

  /** `time` is as `Clock.elapsed` counts. */
  hasStoppedSince(time: number): boolean {
    this.look();
    return this.wentOnAt > time;
  }

  private look(): void {
    const now = this.clock.elapsed();
    if (now - this.lookedAt >= MIN_STOP_MS) this.wentOnAt = now;
    this.lookedAt = now;
  }

  private lookLater(): void {
    this.stopLooking = this.clock.after(LOOKED_EVERY_MS, () => {
      this.look();
      this.lookLater();
    });
  }
}
