import type { Clock } from '@ports/clock.port';

/** What is waited for no longer than its window. */
export interface Windowed {
  /** As `Clock.elapsed` counts. */
  readonly windowOverAt: number;
  endWindow(): void;
}

/** Ends windows when their time has come: one timer for all, set for the one that is over first. */
export class OpenWindows {
  private lookAt = Infinity;
  private cancel: () => void = () => undefined;

  constructor(
    private readonly clock: Clock,
    private readonly open: () => readonly Windowed[],
  ) {}

  /** To be called when there is one more. */
  watch({ windowOverAt }: Windowed): void {
    if (windowOverAt >= this.lookAt) return;
    this.cancel();
    this.lookAt = windowOverAt;
    this.cancel = this.clock.after(windowOverAt - this.clock.elapsed(), () => this.look());
  }

  private look(): void {
    this.lookAt = Infinity;
    const now = this.clock.elapsed();
    for (const each of this.open()) {
      if (each.windowOverAt <= now) each.endWindow();
      else this.watch(each);
    }
  }
}
