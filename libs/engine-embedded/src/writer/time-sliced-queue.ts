import type { Clock } from '@ports/clock.port';
import { setImmediate } from 'node:timers';

const MIN = 4;
const MAX = 1_024;
/** Shorter slices do less at a time, and each piece finds the processor's caches cold. */
const QUICK_MS = 5;

/**
 * Works on pieces in order, over several turns of the event loop when they turn out to be heavy, so that sockets are served
 * in between. How many pieces go in one slice adapts to how long the last slice took.
 */
export class TimeSlicedQueue<Piece> {
  private readonly waiting: Piece[] = [];
  private running = false;
  private atOnce = MIN;

  constructor(
    private readonly clock: Clock,
    private readonly work: (piece: Piece) => void,
    /** Called each time that nothing is left. */
    private readonly onEmpty: () => void,
  ) {}

  /** Whether anything is left to do. */
  get busy(): boolean {
    return this.running;
  }

  add(pieces: readonly Piece[]): void {
    this.waiting.push(...pieces);
    if (!this.running) this.next();
  }

  /** What a piece sets off in microtasks belongs to its slice: how long that took is known at the beginning of the next. */
  private next(): void {
    this.running = true;
    const begunAt = this.clock.elapsed();
    for (const piece of this.waiting.splice(0, this.atOnce)) this.work(piece);
    if (this.waiting.length === 0) {
      this.running = false;
      return this.onEmpty();
    }
    setImmediate(() => {
      const wasQuick = this.clock.elapsed() - begunAt <= QUICK_MS;
      this.atOnce = wasQuick ? Math.min(MAX, this.atOnce * 2) : Math.max(MIN, this.atOnce / 2);
      this.next();
    });
  }
}
