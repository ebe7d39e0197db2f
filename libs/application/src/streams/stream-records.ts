import type { DomainEvent } from '@domain/kernel/decider';
import type { EventStore, Recorded, Revision } from '@ports/event-store.port';

const CHUNK = 200;

/** Read in chunks, only as far as the caller iterates. `first` is a revision. */
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

/** Newest first. Always includes the last 200 events, because a clock may have been set back. */
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

export async function findEvent<Event extends DomainEvent>(
  records: AsyncIterable<Recorded<Event>>,
  matches: (event: Event) => boolean,
): Promise<Event | null> {
  for await (const { event } of records) if (matches(event)) return event;
  return null;
}
