import { Backoff } from '@kit/time';
import { APPEND_TIMES } from '@ports/append-times';
import { type Clock, pause } from '@ports/clock.port';
import { failureMeaning } from './failure-meaning.js';
import { ENGINE_CONSTANTS } from '../engine-constants.js';

const { deadlineMs } = ENGINE_CONSTANTS.eventStoreDb;
const FIRST_PAUSE_MS = 10;
const MAX_PAUSE_MS = 250;
/** Attempts end shortly before the promised time, but later than a command would resend its batch. */
export const GIVEN_UP_AFTER_MS = APPEND_TIMES.settledWithinMs - 200;

/** Retries transient failures with growing pauses while time is left. `attempt` gets its time limit. Rejects with the last failure. */
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
