import { Backoff } from '@kit/time';
import { pause, type Clock } from '@ports/clock.port';
import { isRetryableStoreError } from '@ports/event-store.port';

/** Between failures in a row, of an append or of endless work. */
export function untilNextTry(): Backoff {
  return new Backoff(100, 5_000);
}

/** Retries until `forMs` or `givenUp` while the store is unavailable; other errors reject at once. `store` must be idempotent. */
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
