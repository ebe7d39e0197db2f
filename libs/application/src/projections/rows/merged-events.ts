import type { EventStore, Recorded } from '@ports/event-store.port';
import { recordsOf } from '../../streams/stream-records.js';

/** The events of these streams, at least one, in the order of the log. Read in chunks of each stream, only as far as the caller iterates. */
export async function* mergedEvents(store: EventStore, streams: readonly string[]): AsyncGenerator<Recorded> {
  const readers = streams.map((stream) => recordsOf(store, stream, 'asc'));
  const next = await Promise.all(readers.map(async (reader) => ({ reader, found: await reader.next() })));
  for (;;) {
    const first = next.reduce((one, other) => (placeOf(other.found) < placeOf(one.found) ? other : one));
    if (first.found.done) return;
    yield first.found.value;
    first.found = await first.reader.next();
  }
}

/** A stream that has ended comes last. */
function placeOf({ done, value }: IteratorResult<Recorded, unknown>): string {
  return done ? 'none' : (value as Recorded).position;
}
