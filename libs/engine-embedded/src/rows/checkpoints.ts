import { Waiter } from '@kit/waiter';
import { Clock } from '@ports/clock.port';
import { type Position, START } from '@ports/event-store.port';

interface Progress {
  checkpoint: Position;
  readonly moved: Waiter;
}

export class Checkpoints {
  private readonly collections = new Map<string, Progress>();

  constructor(private readonly clock: Clock) {}

  checkpointOf(collection: string): Position {
    return this.progress(collection).checkpoint;
  }

  advance(collection: string, checkpoint: Position): void {
    if (checkpoint > this.checkpointOf(collection)) this.restart(collection, checkpoint);
  }

  restart(collection: string, checkpoint: Position): void {
    const progress = this.progress(collection);
    progress.checkpoint = checkpoint;
    progress.moved.wake();
  }

  /** True once the collection is at the position; false after `withinMs`, or on close. */
  reached(collection: string, position: Position, withinMs: number): Promise<boolean> {
    const progress = this.progress(collection);
    if (withinMs <= 0) return Promise.resolve(progress.checkpoint >= position);
    return progress.moved.until(
      () => progress.checkpoint >= position,
      (stop) => this.clock.after(withinMs, stop),
    );
  }

  close(): void {
    for (const { moved } of this.collections.values()) moved.cancelAll();
  }

  private progress(collection: string): Progress {
    const known = this.collections.get(collection);
    if (known) return known;
    const fresh: Progress = { checkpoint: START, moved: new Waiter() };
    this.collections.set(collection, fresh);
    return fresh;
  }
}
