import { Backoff } from '@kit/time';
import { APPEND_TIMES } from '@ports/append-times';
import { type Clock, pause } from '@ports/clock.port';
import { failureMeaning } from './failure-meaning.js';
import { ENGINE_CONSTANTS } from '../engine-constants.js';

const { deadlineMs } = ENGINE_CONSTANTS.eventStoreDb;
const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 250;
/** The attempts end a little before the time of the caller is over, and later than the caller would send a batch again. */
export const GIVEN_UP_AFTER_MS = APPEND_TIMES.settledWithinMs - 200;

/**
 * Makes a call again, with growing pauses, while its failure may pass and there is time. `attempt` gets the time that it may
 * take, at most `attemptMs`. Rejects with the last failure.
 */
export async function persist<T>(
  clock: Clock,
  attempt: (withinMs: number) => Promise<T>,
  attemptMs: number = deadlineMs,
): Promise<T> {
  const giveUpAt = clock.elapsed() + GIVEN_UP_AFTER_MS;
  const backoff = new Backoff(FIRST_PAUSE_MS, MAX_PAUSE_MS);
  for (;;) {
    try {
      return await attempt(Math.min(attemptMs, giveUpAt - clock.elapsed()));
    } catch (error) {
      const mayPass = ['not sent', 'unknown'].includes(failureMeaning(error));
      const pauseMs = backoff.next();
      if (!mayPass || giveUpAt - clock.elapsed() <= 2 * pauseMs) throw error;
      await pause(clock, pauseMs);
    }
  }
}
