import { START } from '@ports/event-store.port';
import type { CollectionSchema, SourceLog } from '@ports/read-models.port';
import { ObjectId } from 'mongodb';
import { type CollectionRegistry, fieldsText, type RegistryEntry } from './collection-registry.js';
import { GenerationRows } from './generation-rows.js';
import type { StoreClient } from './store-client.js';

/** Unique, and includes its creation time. */
export function newGenerationId(): string {
  return new ObjectId().toHexString();
}

export interface Beginning {
  readonly before: RegistryEntry | null;
  readonly log: SourceLog | undefined;
  readonly now: number;
}

/** Gives a collection empty rows of this version, with indexes. Resolves to false if another process changed the collection meanwhile. */
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
  const defined = {
    ...made,
    version,
    fields: fieldsText(schema),
    generation: rows.generation,
    checkpoint: START,
    rebuild: null,
    usedAt: now,
  };
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
