import type { Clock } from '@ports/clock.port';
import type { CollectionSchema } from '@ports/read-models.port';
import { ObjectId } from 'mongodb';
import type { CollectionRegistry, RegistryEntry } from './collection-registry.js';
import { generationName } from './collection-rows.js';
import { isAlive } from './rebuild.mongodb.js';
import type { StoreClient } from './store-client.js';

/** Much longer than a read that began before its rows were replaced. */
export const READABLE_FOR_MS = 60_000;

const GENERATION = /^[0-9a-f]{24}$/;

/** Drops unused generations of a collection, also those of dead processes. A young one is kept: it may be about to be entered. */
export async function dropLeftoverRows(
  client: StoreClient,
  registry: CollectionRegistry,
  { name, shared }: CollectionSchema,
  pace: Clock,
): Promise<void> {
  const found = [...(await generationsOf(client, name)), ...(shared ? await generationsOf(client, shared.name) : [])];
  const entry = await registry.entry(name);
  if (!entry) return;
  const before = pace.now() - READABLE_FOR_MS;
  const inUse = await usedGenerations(registry, entry, pace.now());
  for (const { collection, generation } of found) {
    if (inUse.includes(generation)) continue;
    const retired = entry.retired.find((each) => each.generation === generation);
    if (Math.max(ObjectId.createFromHexString(generation).getTimestamp().getTime(), retired?.at ?? 0) > before) continue;
    await client.ask((deadline) => client.collection(collection).drop(deadline));
  }
  if (entry.retired.some(({ at }) => at <= before))
    await registry.change(name, {}, { $pull: { retired: { at: { $lte: before } } } });
}

/** The collections that hold rows under this name. */
export async function generationsOf(client: StoreClient, name: string) {
  const beginning = generationName(name, '');
  const found = await client.collectionsFrom(beginning);
  return found
    .map((collection) => ({ collection, generation: collection.slice(beginning.length) }))
    .filter(({ generation }) => GENERATION.test(generation));
}

/** The live one and that of a rebuild, which is ended if its process is dead. */
async function usedGenerations(registry: CollectionRegistry, entry: RegistryEntry, now: number): Promise<readonly string[]> {
  const { _id: name, generation, rebuild } = entry;
  if (!rebuild) return [generation];
  const isDead = !isAlive(rebuild, now);
  const asSeen = { 'rebuild.generation': rebuild.generation, 'rebuild.seenAt': rebuild.seenAt };
  if (isDead && (await registry.change(name, asSeen, { $set: { rebuild: null } }))) return [generation];
  return [generation, rebuild.generation];
}
