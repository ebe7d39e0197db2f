import type { CollectionSchema, SourceLog } from '@ports/read-models.port';
import type { CollectionRegistry, RegistryEntry } from './collection-registry.js';
import type { CollectionState } from './collection-state.js';
import type { GenerationRows } from './generation-rows.js';

/** Whether a projection may continue: the live rows come from this log, and their collection was not dropped. */
export async function isUsable(
  registry: CollectionRegistry,
  { name }: Pick<CollectionSchema, 'name'>,
  entry: RegistryEntry,
  rows: GenerationRows,
  log: SourceLog | undefined,
): Promise<boolean> {
  const made = (await log?.identity()) ?? null;
  const kept = entry.log;
  if (kept !== null && made !== null && kept !== made) return false;
  if (log && !(await log.holds(entry.checkpoint))) return false;
  if (!(await rows.isMarked())) return false;
  await rows.ensureIndexes();
  if (kept === null) await registry.change(name, { generation: entry.generation }, { $set: { log: made } });
  return true;
}

/** Whether the rows' collection is the original one. */
export function isKept({ generation }: RegistryEntry, collection: CollectionState): Promise<boolean> {
  return collection.rowsOf(generation).isMarked();
}

/** As `isKept`; in a process that writes the rows, also whether their indexes exist. */
export async function isWhole(entry: RegistryEntry, collection: CollectionState): Promise<boolean> {
  if (!(await isKept(entry, collection))) return false;
  return !collection.isDefinedHere || collection.rowsOf(entry.generation).hasIndexes();
}
