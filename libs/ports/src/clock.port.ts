/** The only source of time. */
export abstract class Clock {
  /** Epoch milliseconds. */
  abstract now(): number;

  /** Calls back once at or after `time`, unless cancelled. Never keeps the process alive by itself. */
  abstract at(time: number, callback: () => void): () => void;
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
    const cancel = clock.at(clock.now() + ms, done);
    signal?.addEventListener('abort', done, { once: true });
  });
}
