import type { DomainEvent } from '@domain/kernel/decider';
import type { EventStore, Recorded, Revision } from '@ports/event-store.port';

const CHUNK = 200;

/** Events of a stream in this order, beginning with the revision `first` if given, read as far as the caller goes. */
export async function* recordsOf<Event extends DomainEvent>(
  store: EventStore,
  stream: string,
  order: 'asc' | 'desc',
  first?: Revision,
): AsyncGenerator<Recorded<Event>> {
  const direction = order === 'asc' ? 'forwards' : 'backwards';
  let from = first;
  while (from === undefined || from >= 0) {
    const options = { direction, limit: CHUNK, ...(from === undefined ? {} : { from }) } as const;
    const chunk = await store.read<Event>(stream, options);
    yield* chunk;
    const last = chunk.at(-1);
    if (!last || chunk.length < CHUNK) return;
    from = last.revision + (order === 'asc' ? 1 : -1);
  }
}

/**
 * What happened in a stream since a moment, newest first. The last 200 events are among it whatever their times are: a clock
 * may have been set back.
 */
export async function* recordsSince<Event extends DomainEvent>(
  store: EventStore,
  stream: string,
  since: number,
): AsyncGenerator<Recorded<Event>> {
  let walked = 0;
  for await (const record of recordsOf<Event>(store, stream, 'desc')) {
    if (record.event.at < since && walked >= CHUNK) return;
    walked++;
    yield record;
  }
}
