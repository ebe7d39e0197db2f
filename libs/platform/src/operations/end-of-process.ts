import { inTime } from './deadline.js';

/** Calls back once, at the first of the signals that ask a process to end (a closed terminal is one); later ones change nothing. */
export function atFirstSignal(callback: () => void): void {
  let called = false;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (called) return;
      called = true;
      callback();
    });
  }
}

/** Whether the work was over within the time. */
export function withinMs(work: Promise<unknown>, ms: number): Promise<boolean> {
  const done = work.then(
    () => true,
    () => true,
  );
  return inTime(done, ms, false);
}
