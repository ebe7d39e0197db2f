import { withinDeadline } from './deadline.js';

/** Calls back at the first signal that asks the process to end, a closed terminal included; later signals are ignored. */
export function atFirstSignal(callback: (signal: NodeJS.Signals) => void): void {
  let called = false;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (called) return;
      called = true;
      callback(signal);
    });
  }
}

/** Whether the work settled within `ms`. */
export function withinMs(work: Promise<unknown>, ms: number): Promise<boolean> {
  const done = work.then(
    () => true,
    () => true,
  );
  return withinDeadline(done, ms, false);
}
