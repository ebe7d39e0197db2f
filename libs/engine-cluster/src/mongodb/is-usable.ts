import type { CollectionSchema, SourceLog } from '@ports/read-models.port';
import type { CollectionRegistry, RegistryEntry } from './collection-registry.js';
import type { CollectionState } from './collection-state.js';
import type { GenerationRows } from './generation-rows.js';

/** Whether a projection may go on with the live rows: they are made of this log, and their collection was not dropped. */
export async function isUsable(
  registry: CollectionRegistry,
  { name }: Pick<CollectionSchema, 'name'>,
  entry: RegistryEntry,
  rows: GenerationRows,
  log: SourceLog | undefined,
): Promise<boolean> {
  const made = (await log?.identity()) ?? null;
  const kept = entry.log ?? null;
  if (kept !== null && made !== null && kept !== made) return false;
  if (log && !(await log.holds(entry.checkpoint))) return false;
  if (entry.log === undefined) {
    if (!(await rows.hasIndexes())) return false;
    await rows.mark();
  }
  if (!(await rows.isMarked())) return false;
  await rows.ensureIndexes();
  if (kept === null) await registry.change(name, { generation: entry.generation }, { $set: { log: made } });
  return true;
}

/** Whether the rows are still in the collection that was made for them; true for rows of an older program, which have no mark. */
export async function isKept({ generation, log }: RegistryEntry, collection: CollectionState): Promise<boolean> {
  return log === undefined || collection.rowsOf(generation).isMarked();
}

/** As `isKept`; in a process that writes the rows, also whether their indexes are there. */
export async function isWhole(entry: RegistryEntry, collection: CollectionState): Promise<boolean> {
  if (!(await isKept(entry, collection))) return false;
  return !collection.isDefinedHere || collection.rowsOf(entry.generation).hasIndexes();
}
