import type { Clock } from '@ports/clock.port';
import { setImmediate } from 'node:timers';

const MIN = 4;
const MAX = 1_024;
/** Shorter slices do less work on cold processor caches. */
const QUICK_MS = 5;

/** Processes heavy pieces over several turns of the event loop. The size of a slice adapts to the duration of the last. */
export class TimeSlicedQueue<Piece> {
  private readonly waiting: Piece[] = [];
  private running = false;
  private atOnce = MIN;

  constructor(
    private readonly clock: Clock,
    private readonly work: (piece: Piece) => void,
    private readonly onEmpty: () => void,
  ) {}

  get busy(): boolean {
    return this.running;
  }

  add(pieces: readonly Piece[]): void {
    this.waiting.push(...pieces);
    if (!this.running) this.next();
  }

  /** Microtasks started by a piece belong to its slice, so its duration is known only when the next begins. */
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
