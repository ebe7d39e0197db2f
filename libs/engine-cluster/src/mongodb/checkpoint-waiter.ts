import { pause, type Clock } from '@ports/clock.port';
import type { CollectionRegistry, RegistryEntry } from './collection-registry.js';

const LOOK_AGAIN_MS = 25;

/** Waits for a state of a collection. Writes of this process end a wait at once, others after 25 ms; all waiters poll together. */
export class CheckpointWaiter {
  private isLooking = false;

  constructor(
    private readonly registry: CollectionRegistry,
    private readonly clock: Clock,
    /** For polling, even while a test's other clock stands still. */
    private readonly pace: Clock,
  ) {}

  /** True once the entry passes the test, false after `withinMs`. Rejects as the first `look` does. */
  reached(
    name: string,
    isThere: (entry: RegistryEntry) => boolean,
    withinMs: number,
    look: () => Promise<unknown>,
  ): Promise<boolean> {
    const holds = () => {
      const entry = this.registry.known(name);
      return entry !== undefined && isThere(entry);
    };
    const waiting = this.registry.changed.until(holds, (stop) => this.clock.after(withinMs, stop));
    if (holds()) return waiting;
    void this.lookAgain();
    return Promise.race([waiting, look().then(() => waiting)]);
  }

  close(): void {
    this.registry.changed.cancelAll();
  }

  private async lookAgain(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    while (this.registry.changed.size > 0) {
      await pause(this.pace, LOOK_AGAIN_MS);
      // A wait that cannot poll ends by its time-out.
      if (this.registry.changed.size > 0) await this.registry.refresh().catch(() => undefined);
    }
    this.isLooking = false;
  }
}
