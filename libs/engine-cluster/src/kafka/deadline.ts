import type { Clock } from '@ports/clock.port';

/** The work did not settle in time. It may still go on. */
export class DeadlineMissed extends Error {
  override readonly name = 'DeadlineMissed';
}

/** Settles as the work does, or rejects with `DeadlineMissed` after `ms`. */
export function within<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(ms, () => reject(new DeadlineMissed(`no answer within ${ms} ms`)));
    work.finally(cancel).then(resolve, reject);
  });
}
