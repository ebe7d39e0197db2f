import { pause, type Clock } from '@ports/clock.port';

/** Spreads effects over time. */
export class Pace {
  /** In `Clock.elapsed`. */
  private nextAt: number;

  constructor(
    private readonly clock: Clock,
    private readonly perSecond: number | null,
    private readonly signal: AbortSignal,
  ) {
    this.nextAt = clock.elapsed();
  }

  /** Waits as long as so many effects take; time that was lost is not made up for. */
  async after(effects: number): Promise<void> {
    if (this.perSecond === null || effects === 0) return;
    const now = this.clock.elapsed();
    this.nextAt = Math.max(this.nextAt, now) + (effects * 1_000) / this.perSecond;
    await pause(this.clock, this.nextAt - now, this.signal);
  }
}
