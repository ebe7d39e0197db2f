import type { Clock } from '@ports/clock.port';
import { isStoreUnavailable } from '@ports/event-store.port';
import { Backoff } from './backoff.js';

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
      if (!isStoreUnavailable(error) || clock.elapsed() >= giveUpAt) throw error;
      await backoff.failed(givenUp);
      if (givenUp?.aborted) throw error;
    }
  }
}
