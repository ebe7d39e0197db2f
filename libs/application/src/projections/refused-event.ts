import type { EventStore, Recorded } from '@ports/event-store.port';
import type { StoredRow } from '@ports/read-models.port';
import type { Projection } from '../read-models/projection.js';
import { recordsOf } from '../streams/stream-records.js';

/** The last event that a row was made of; null where its projection does not tell of which streams that is. */
export async function refusedEvent(
  { streamsOf }: Projection,
  store: EventStore,
  { id, row, position }: StoredRow,
): Promise<Recorded | null> {
  for (const stream of named(() => streamsOf?.(row, id) ?? [])) {
    for await (const record of recordsOf(store, stream, 'desc')) {
      if (record.position === position) return record;
      if (record.position < position) break;
    }
  }
  return null;
}

/** A row that the store refuses may have a shape that its projection cannot read. */
function named(streams: () => readonly string[]): readonly string[] {
  try {
    return streams();
  } catch {
    return [];
  }
}
