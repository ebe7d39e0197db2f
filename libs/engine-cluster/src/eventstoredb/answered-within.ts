import { inTime } from '@kit/time';
import type { Clock } from '@ports/clock.port';
import { NoAnswer } from './failure-meaning.js';

/** Settles as `work` does, or rejects with `NoAnswer` after `ms`. The work is not stopped. */
export function answeredWithin<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T> {
  return inTime(clock, ms, work, () => {
    throw new NoAnswer();
  });
}
