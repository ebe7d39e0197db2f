import { START } from '@ports/event-store.port';
import type { CollectionSchema } from '@ports/read-models.port';
import { ObjectId } from 'mongodb';
import { type CollectionRegistry, fieldsText, type RegistryEntry } from './collection-registry.js';
import { GenerationRows } from './generation-rows.js';
import type { StoreClient } from './store-client.js';

/** A name that no other generation has. It tells when it was made. */
export function newGenerationId(): string {
  return new ObjectId().toHexString();
}

/**
 * Gives a collection empty rows of this version, with their indexes. Resolves to whether it did: somebody else may have changed
 * the collection since it was seen.
 */
export async function newGeneration(
  client: StoreClient,
  registry: CollectionRegistry,
  schema: CollectionSchema,
  before: RegistryEntry | null,
  now: number,
): Promise<boolean> {
  const rows = new GenerationRows(client, schema, newGenerationId());
  await rows.create();
  const { name, version } = schema;
  const defined = { version, fields: fieldsText(schema), generation: rows.generation, checkpoint: START, rebuild: null };
  const isDone = before
    ? await inPlaceOf(registry, before, defined, now)
    : await registry.add({ _id: name, ...defined, replaced: START, retired: [] });
  if (!isDone) await rows.drop();
  return isDone;
}

type Defined = Omit<RegistryEntry, '_id' | 'replaced' | 'retired'>;

async function inPlaceOf(registry: CollectionRegistry, before: RegistryEntry, defined: Defined, now: number): Promise<boolean> {
  const { _id: name, version, fields, generation } = before;
  const retired = { generation: '$generation', at: { $literal: now } };
  const kept = { replaced: { $max: ['$checkpoint', '$replaced'] }, retired: { $concatArrays: ['$retired', [retired]] } };
  const changed = await registry.change(name, { version, fields, generation }, [{ $set: { ...defined, ...kept } }]);
  return changed !== null;
}
