import { Clock } from '@ports/clock.port';

/** Long waits check the time this often: the clock may be set, and a Node timer lasts 24 days at most. */
const MAX_NAP_MS = 30_000;

export class SystemClock extends Clock {
  now(): number {
    return Date.now();
  }

  elapsed(): number {
    return performance.now();
  }

  at(time: number, callback: () => void): () => void {
    return nap(() => time - Date.now(), callback);
  }

  after(ms: number, callback: () => void): () => void {
    const due = performance.now() + ms;
    return nap(() => due - performance.now(), callback);
  }
}

function nap(left: () => number, callback: () => void): () => void {
  let timer: NodeJS.Timeout;
  const arm = (ms: number) => {
    timer = setTimeout(wake, Math.min(Math.max(Math.ceil(ms), 0), MAX_NAP_MS)).unref();
  };
  const wake = () => {
    const ms = left();
    if (ms > 0) arm(ms);
    else callback();
  };
  arm(left());
  return () => clearTimeout(timer);
}
