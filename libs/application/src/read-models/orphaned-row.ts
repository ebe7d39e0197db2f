import { START } from '@ports/event-store.port';
import type { ReadModels, StoredRow } from '@ports/read-models.port';

/**
 * Changes the row of a stream that was dropped during a rebuild: no event will change it any more. It is written at the read model's
 * checkpoint, which is later than any event of the dropped stream. `changed` returns null to leave it.
 */
export async function changeOrphanedRow(
  readModels: ReadModels,
  name: string,
  id: string,
  changed: (row: StoredRow) => StoredRow | null,
): Promise<void> {
  const position = await readModels.checkpoint(name);
  const [row] = await readModels.getMany(name, [id]);
  const next = row && !row.deleted ? changed(row) : null;
  if (next) await readModels.apply(name, [{ ...next, position }], START);
}
