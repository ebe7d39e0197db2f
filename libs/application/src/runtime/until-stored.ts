import { Backoff } from '@kit/time';
import { pause, type Clock } from '@ports/clock.port';
import { isRetryableStoreError } from '@ports/event-store.port';

/** Between failures in a row, of an append or of endless work. */
export function untilNextTry(): Backoff {
  return new Backoff(100, 5_000);
}

/**
 * Retries an append with backoff while the store is unavailable. Rejects with the last error after `forMs` or when `givenUp`
 * aborts, and at once with any other error. `store` must be idempotent.
 */
export async function untilStored<T>(clock: Clock, forMs: number, store: () => Promise<T>, givenUp?: AbortSignal): Promise<T> {
  const giveUpAt = clock.elapsed() + forMs;
  const backoff = untilNextTry();
  for (;;) {
    try {
      return await store();
    } catch (error) {
      if (!isRetryableStoreError(error) || clock.elapsed() >= giveUpAt) throw error;
      await pause(clock, backoff.next(), givenUp);
      if (givenUp?.aborted) throw error;
    }
  }
}
