import { Clock } from '@ports/clock.port';
import { type Position, START } from '@ports/event-store.port';

interface Waiter {
  readonly position: Position;
  readonly settle: (reached: boolean) => void;
}

interface Progress {
  checkpoint: Position;
  readonly waiters: Set<Waiter>;
}

/** How far each collection is, and who waits for it to be further. */
export class Checkpoints {
  private readonly collections = new Map<string, Progress>();

  constructor(private readonly clock: Clock) {}

  checkpointOf(collection: string): Position {
    return this.progress(collection).checkpoint;
  }

  advance(collection: string, checkpoint: Position): void {
    if (checkpoint > this.checkpointOf(collection)) this.restart(collection, checkpoint);
  }

  /** From here on, be it further back. */
  restart(collection: string, checkpoint: Position): void {
    const progress = this.progress(collection);
    progress.checkpoint = checkpoint;
    for (const waiter of [...progress.waiters]) if (waiter.position <= checkpoint) waiter.settle(true);
  }

  reached(collection: string, position: Position, withinMs: number): Promise<boolean> {
    const { checkpoint, waiters } = this.progress(collection);
    if (checkpoint >= position) return Promise.resolve(true);
    if (withinMs <= 0) return Promise.resolve(false);
    return new Promise((resolve) => {
      const waiter: Waiter = {
        position,
        settle: (reached) => {
          cancel();
          waiters.delete(waiter);
          resolve(reached);
        },
      };
      const cancel = this.clock.after(withinMs, () => waiter.settle(false));
      waiters.add(waiter);
    });
  }

  close(): void {
    for (const { waiters } of this.collections.values()) for (const waiter of [...waiters]) waiter.settle(false);
  }

  private progress(collection: string): Progress {
    const known = this.collections.get(collection);
    if (known) return known;
    const fresh: Progress = { checkpoint: START, waiters: new Set() };
    this.collections.set(collection, fresh);
    return fresh;
  }
}
