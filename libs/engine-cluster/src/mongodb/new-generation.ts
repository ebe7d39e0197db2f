import { START } from '@ports/event-store.port';
import type { CollectionSchema, SourceLog } from '@ports/read-models.port';
import { ObjectId } from 'mongodb';
import { type CollectionRegistry, fieldsText, type RegistryEntry } from './collection-registry.js';
import { GenerationRows } from './generation-rows.js';
import type { StoreClient } from './store-client.js';

/** A name that no other generation has. It tells when it was made. */
export function newGenerationId(): string {
  return new ObjectId().toHexString();
}

/** What is known of a collection when it is begun anew. */
export interface Beginning {
  /** Its entry, where there is one. */
  readonly before: RegistryEntry | null;
  readonly log: SourceLog | undefined;
  readonly now: number;
}

/**
 * Gives a collection empty rows of this version, with their indexes. Resolves to whether it did: somebody else may have changed
 * the collection since it was seen.
 */
export async function newGeneration(
  client: StoreClient,
  registry: CollectionRegistry,
  schema: CollectionSchema,
  { before, log, now }: Beginning,
): Promise<boolean> {
  const rows = new GenerationRows(client, schema, newGenerationId());
  await rows.create();
  const { name, version } = schema;
  const made = { log: (await log?.identity()) ?? null, replaced: (await log?.head()) ?? START };
  const defined = { ...made, version, fields: fieldsText(schema), generation: rows.generation, checkpoint: START, rebuild: null };
  const isDone = before
    ? await inPlaceOf(registry, before, defined, now)
    : await registry.add({ _id: name, ...defined, retired: [] });
  if (!isDone) await rows.drop();
  return isDone;
}

type Defined = Omit<RegistryEntry, '_id' | 'retired'>;

async function inPlaceOf(registry: CollectionRegistry, before: RegistryEntry, defined: Defined, now: number): Promise<boolean> {
  const { _id: name, version, fields, generation } = before;
  const retired = { generation: '$generation', at: { $literal: now } };
  const kept = { retired: { $concatArrays: ['$retired', [retired]] } };
  const changed = await registry.change(name, { version, fields, generation }, [{ $set: { ...defined, ...kept } }]);
  return changed !== null;
}
