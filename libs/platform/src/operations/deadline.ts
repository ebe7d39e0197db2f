import { inTime, type Timer } from '@kit/time';

/** Unlike timers of the clock, these keep the process alive. */
const processTimer: Timer = {
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

export function withinDeadline<T>(work: Promise<T>, ms: number, otherwise: T): Promise<T> {
  return inTime(processTimer, ms, work, () => otherwise);
}
