/** Lets several wait for "something happened" without leaving anything behind when they give up. */
export class WakeUp {
  private readonly waiting = new Set<() => void>();

  get waiters(): number {
    return this.waiting.size;
  }

  /** Resolves at the next `ring`, or when the signal aborts. */
  next(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        this.waiting.delete(done);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      this.waiting.add(done);
      signal?.addEventListener('abort', done, { once: true });
    });
  }

  ring(): void {
    for (const done of [...this.waiting]) done();
  }
}
