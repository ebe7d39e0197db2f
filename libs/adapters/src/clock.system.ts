import { Clock } from '@ports/clock.port';

/** Long waits look at the wall clock again this often, since it may have been set meanwhile. */
const LONGEST_NAP_MS = 3_600_000;

/** The machine's clock. */
export class SystemClock extends Clock {
  now(): number {
    return Date.now();
  }

  at(time: number, callback: () => void): () => void {
    let timer: NodeJS.Timeout;
    const arm = () => {
      const nap = Math.min(Math.max(time - Date.now(), 0), LONGEST_NAP_MS);
      timer = setTimeout(wake, nap).unref();
    };
    const wake = () => (Date.now() >= time ? callback() : arm());
    arm();
    return () => clearTimeout(timer);
  }
}
