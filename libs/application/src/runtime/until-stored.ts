import type { Clock } from '@ports/clock.port';
import { isStoreTrouble } from '@ports/event-store.port';
import { Backoff } from './backoff.js';

/**
 * Stores what must not be lost, again and ever more seldom while the store takes nothing; rejects as it does when that
 * lasts for longer than `forMs` or when it is given up. What `store` does is done once, however often it is asked.
 */
export async function untilStored<T>(clock: Clock, forMs: number, store: () => Promise<T>, givenUp?: AbortSignal): Promise<T> {
  const giveUpAt = clock.elapsed() + forMs;
  const backoff = new Backoff(clock);
  for (;;) {
    try {
      return await store();
    } catch (error) {
      if (!isStoreTrouble(error) || clock.elapsed() >= giveUpAt) throw error;
      await backoff.failed(givenUp);
      if (givenUp?.aborted) throw error;
    }
  }
}
