import { inTime } from '@kit/time';
import type { Clock } from '@ports/clock.port';
import { NoAnswer } from './failure-meaning.js';

/** Settles as the work does, and rejects with `NoAnswer` where that takes longer. The work goes on. */
export function answeredWithin<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T> {
  return inTime(clock, ms, work, () => {
    throw new NoAnswer();
  });
}
