import { inTime, type Timer } from '@kit/time';

/** Unlike those of the clock, these timers keep the process alive. */
const processTimer: Timer = {
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

/** The result of the work, or `otherwise` after `ms`, which do not depend on the wall clock. */
export function withinDeadline<T>(work: Promise<T>, ms: number, otherwise: T): Promise<T> {
  return inTime(processTimer, ms, work, () => otherwise);
}
