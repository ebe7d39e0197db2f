/** Calls back once after `ms`, unless the returned function cancels it. A `Clock` is a timer. */
export interface Timer {
  after(ms: number, callback: () => void): () => void;
}

/** Settles as `work` does, or as `late` does after `ms`. The work is not stopped, and its later rejection is ignored. */
export async function inTime<T, Late = undefined>(
  timer: Timer,
  ms: number,
  work: Promise<T>,
  late?: () => Late,
): Promise<T | Late> {
  let cancel = (): void => undefined;
  const over = new Promise<void>((resolve) => (cancel = timer.after(ms, resolve)));
  try {
    return await Promise.race([work, over.then(() => late?.() as Late)]);
  } finally {
    cancel();
  }
}

/** Exponential backoff: pauses between failed tries double from `firstMs` up to `maxMs`. */
export class Backoff {
  private inARow = 0;

  constructor(
    private readonly firstMs: number,
    private readonly maxMs: number,
  ) {}

  get failures(): number {
    return this.inARow;
  }

  next(): number {
    const ms = Math.min(this.maxMs, this.firstMs * 2 ** this.inARow);
    this.inARow += 1;
    return ms;
  }

  reset(): void {
    this.inARow = 0;
  }
}
