import { withinDeadline } from './deadline.js';

/** Calls back at the first signal that asks the process to stop, such as a closed terminal; ignores later ones. */
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

export function withinMs(work: Promise<unknown>, ms: number): Promise<boolean> {
  const done = work.then(
    () => true,
    () => true,
  );
  return withinDeadline(done, ms, false);
}
