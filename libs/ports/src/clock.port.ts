/** The only source of time. What it calls back never keeps the process alive by itself. */
export abstract class Clock {
  /** Epoch milliseconds. They jump when somebody sets the machine's clock. */
  abstract now(): number;

  /** Milliseconds since some instant, whatever happens to the machine's clock. */
  abstract elapsed(): number;

  /** Calls back once at or after the instant `time` of `now()`, unless cancelled. */
  abstract at(time: number, callback: () => void): () => void;

  /** Calls back once when so many milliseconds of `elapsed()` have passed, unless cancelled. */
  abstract after(ms: number, callback: () => void): () => void;
}

/** Resolves after `ms`, or at once when the signal aborts. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal?.addEventListener('abort', done, { once: true });
  });
}
