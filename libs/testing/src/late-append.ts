import type { EventStore } from '@ports/event-store.port';

/** The first execution's append lands when its retry has loaded the aggregate and begins to look in the history. */
export function landsLate(events: EventStore, firstExecution: () => Promise<unknown>): void {
  const read = events.read.bind(events);
  events.read = async (...given) => {
    if (given[1]?.direction === 'backwards') {
      events.read = read;
      await firstExecution();
    }
    return read(...given);
  };
}
