import { pause, type Clock } from '@ports/clock.port';
import { isRetryableStoreError } from '@ports/event-store.port';

const FIRST_MS = 100;
const LONGEST_MS = 5_000;

/** Exponential backoff: each failure in a row doubles the wait, from 100 ms up to 5 s. */
export class Backoff {
  private failures = 0;

  constructor(private readonly clock: Clock) {}

  /** How many failures there were since the last success. */
  get inARow(): number {
    return this.failures;
  }

  succeeded(): void {
    this.failures = 0;
  }

  /** Resolves when it is time for the next try, or at once when the signal aborts. */
  failed(signal?: AbortSignal): Promise<void> {
    const wait = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(this.failures, 16));
    this.failures++;
    return pause(this.clock, wait, signal);
  }
}

/**
 * Retries an append with backoff while the store is unavailable. Rejects with the last error after `forMs` or when `givenUp`
 * aborts, and at once with any other error. `store` must be idempotent.
 */
export async function untilStored<T>(clock: Clock, forMs: number, store: () => Promise<T>, givenUp?: AbortSignal): Promise<T> {
  const giveUpAt = clock.elapsed() + forMs;
  const backoff = new Backoff(clock);
  for (;;) {
    try {
      return await store();
    } catch (error) {
      if (!isRetryableStoreError(error) || clock.elapsed() >= giveUpAt) throw error;
      await backoff.failed(givenUp);
      if (givenUp?.aborted) throw error;
    }
  }
}
