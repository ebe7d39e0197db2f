import { StoreUnavailable } from '@ports/event-store.port';
import type { DeliveryWorld } from './delivery-world.js';

/** Lets a process store so many more events of tasks and deliveries; it never learns what became of the last one. */
export function dieAfter(world: DeliveryWorld, appends: number, isStored: boolean): void {
  const { events } = world.ledger.ports;
  const { append } = events;
  let left = appends;
  events.append = async (stream, batch, expected) => {
    if (left > 0 || isStored) {
      const isLast = left <= 0;
      isStored &&= !isLast;
      if (/^(task|deliveries)/.test(stream)) left -= 1;
      const appended = await append.call(events, stream, batch, expected);
      if (!isLast) return appended;
    }
    throw new StoreUnavailable('the process is dead');
  };
}
