import type { EventStore, Position, Recorded } from '@ports/event-store.port';
import type { StoredRow } from '@ports/read-models.port';
import type { Projection } from '../../read-models/projection.js';
import type { Skip } from '../../skipped-events/skip-recorder.js';
import { RowFold } from '../row-fold.js';
import { mergedEvents } from '../rows/merged-events.js';

interface Refolded {
  /** Null where no event makes it. */
  readonly row: StoredRow | null;
  readonly skips: readonly Skip[];
}

/** Folds one row from the events of its streams up to a position. `stored`: as it is now, which names the streams that it is made of. */
export async function refoldedRow(
  projection: Projection,
  store: EventStore,
  about: { readonly id: string; readonly record: Recorded; readonly stored: StoredRow | null; readonly upTo: Position },
): Promise<Refolded> {
  const { id, record, stored, upTo } = about;
  const streams = new Set([record.stream, ...streamsOf(projection, stored)]);
  for (;;) {
    const folded = await foldedFrom(projection, store, id, [...streams], upTo);
    const more = streamsOf(projection, folded.row).filter((stream) => !streams.has(stream));
    if (more.length === 0) return folded;
    for (const stream of more) streams.add(stream);
  }
}

function streamsOf({ streamsOf: named }: Projection, row: StoredRow | null): readonly string[] {
  return row && named ? named(row.row, row.id) : [];
}

async function foldedFrom(
  projection: Projection,
  store: EventStore,
  id: string,
  streams: readonly string[],
  upTo: Position,
): Promise<Refolded> {
  const skips: Skip[] = [];
  const rowIds = (record: Recorded) => projection.rowIds(record).filter((each) => each === id);
  const nothingStored = (ids: readonly string[]) => Promise.resolve(ids.map(() => null));
  const options = { cachedRows: 1, onSkipped: (more: readonly Skip[]) => void skips.push(...more) };
  const fold = new RowFold({ ...projection, rowIds }, { getMany: nothingStored, getShared: nothingStored }, options);
  for await (const record of mergedEvents(store, streams)) {
    if (record.position > upTo) break;
    await fold.take([record]);
  }
  const [{ rows } = { rows: [] }] = [...fold.nextBatches(1)];
  return { row: rows.find((row) => row.id === id) ?? null, skips };
}
