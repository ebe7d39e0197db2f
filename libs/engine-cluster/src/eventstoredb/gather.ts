import type { StreamingRead } from '@eventstore/db-client';
import type { Clock } from '@ports/clock.port';
import { NoAnswer } from './failure-meaning.js';

/** Collects a read. The driver gives reads no deadline: rejects with `NoAnswer` after `silentMs` without data. */
export function gather<E>(read: StreamingRead<E>, clock: Clock, silentMs: number): Promise<readonly E[]> {
  return new Promise((resolve, reject) => {
    const events: E[] = [];
    let heardAt = clock.elapsed();
    let unwatch = (): void => undefined;
    const fail = (error: Error): void => {
      unwatch();
      reject(error);
      // An abandoned read would keep its part of the connection's window.
      read.cancel().catch(() => undefined);
    };
    const watch = (): void => {
      const left = heardAt + silentMs - clock.elapsed();
      if (left <= 0) fail(new NoAnswer());
      else unwatch = clock.after(left, watch);
    };
    watch();
    read.on('data', (event: E) => {
      events.push(event);
      heardAt = clock.elapsed();
    });
    read.on('end', () => {
      unwatch();
      resolve(events);
    });
    read.on('error', fail);
  });
}
