import { RowFold } from '@application/projections/row-fold';
import type { FreshRows } from '@application/read-models/fresh-rows';
import type { Projection } from '@application/read-models/projection';
import type { Skip } from '@application/skipped-events/skip-recorder';
import type { Recorded } from '@ports/event-store.port';
import type { ReadModels, StoredRow } from '@ports/read-models.port';

type Rows = ReadonlyMap<string, StoredRow>;

/** The shared rows; each part of the log is projected by a process of its own, which reads some events again. */
export async function sharedRowsAfter(projection: Projection, log: readonly Recorded[], cuts: readonly number[]): Promise<Rows> {
  const [rows, shared] = [new Map<string, StoredRow>(), new Map<string, StoredRow>()];
  const ends = [...cuts.map((cut) => cut % (log.length + 1)).toSorted((a, b) => a - b), log.length];
  let begin = 0;
  for (const end of ends) {
    const stored = { getMany: readerOf(rows), getShared: readerOf(shared) };
    const options = {
      cachedRows: 8,
      onSkipped: ([first]: readonly Skip[]) => {
        throw first?.error;
      },
    };
    const fold = new RowFold(projection, stored, options);
    await fold.take(log.slice(Math.max(0, begin - 3), end));
    for (const batch of fold.nextBatches(2)) {
      for (const row of batch.rows) rows.set(row.id, row);
      for (const row of batch.shared) shared.set(row.id, row);
    }
    begin = end;
  }
  return shared;
}

/** What a query handler reads them by. */
export function readersOf(rows: Rows): { readonly fresh: FreshRows; readonly readModels: ReadModels } {
  const read = readerOf(rows);
  return {
    fresh: { whole: (_: unknown, read: () => unknown) => read() } as unknown as FreshRows,
    readModels: { getMany: (_: string, ids: readonly string[]) => read(ids) } as unknown as ReadModels,
  };
}

function readerOf(rows: Rows) {
  return (ids: readonly string[]) => Promise.resolve(ids.map((id) => rows.get(id) ?? null));
}
