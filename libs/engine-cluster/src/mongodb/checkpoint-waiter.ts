import { pause, type Clock } from '@ports/clock.port';
import type { CollectionRegistry, RegistryEntry } from './collection-registry.js';

/** How soon a wait learns of another process's writes. */
const LOOK_AGAIN_MS = 25;

/** Waits for what is known of a collection. Its own process's writes end a wait at once. All who wait look together. */
export class CheckpointWaiter {
  private isLooking = false;

  constructor(
    private readonly registry: CollectionRegistry,
    private readonly clock: Clock,
    /** Runs while the other may stand still. */
    private readonly pace: Clock,
  ) {}

  /** True once the entry passes the test, false after `withinMs`. Rejects as `look`, which is asked at the beginning, does. */
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

  /** Ends every wait: each resolves to false. */
  close(): void {
    this.registry.changed.cancelAll();
  }

  private async lookAgain(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    while (this.registry.changed.size > 0) {
      await pause(this.pace, LOOK_AGAIN_MS);
      // A wait that cannot look ends by its own time-out.
      if (this.registry.changed.size > 0) await this.registry.refresh().catch(() => undefined);
    }
    this.isLooking = false;
  }
}
