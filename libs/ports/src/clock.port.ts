import { onAbort } from './on-abort.js';

/** The only source of time. Its timers do not keep the process alive. */
export abstract class Clock {
  /** Epoch milliseconds. Jumps when the machine's clock is set. */
  abstract now(): number;

  /** Milliseconds since an unspecified instant. Never jumps. */
  abstract elapsed(): number;

  /** Calls back once when `now()` is `time` or later, unless the returned function cancels it. */
  abstract at(time: number, callback: () => void): () => void;

  /** Calls back once after `ms` milliseconds of `elapsed()`, unless the returned function cancels it. */
  abstract after(ms: number, callback: () => void): () => void;
}

/** Resolves after `ms`, or at once when the signal aborts. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      cancel();
      leave?.();
      resolve();
    };
    const cancel = clock.after(ms, done);
    const leave = signal && onAbort(signal, done);
  });
}
