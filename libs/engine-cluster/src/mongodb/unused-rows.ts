import type { StoredCollection } from '@ports/read-models.port';
import { type CollectionRegistry, nameOf, type RegistryEntry } from './collection-registry.js';
import { generationsOf } from './leftover-rows.js';
import type { StoreClient } from './store-client.js';

interface Times {
  /** Epoch milliseconds. */
  readonly before: number;
  readonly now: number;
}

/**
 * Drops the rows of other versions of these collections, by name the one under which this process's own are stored, whose last use was
 * noted before that time.
 */
export async function dropUnusedRows(
  client: StoreClient,
  registry: CollectionRegistry,
  own: ReadonlyMap<string, string>,
  { before, now }: Times,
): Promise<readonly Pick<StoredCollection, 'name' | 'version'>[]> {
  const dropped: Pick<StoredCollection, 'name' | 'version'>[] = [];
  const isOther = (entry: RegistryEntry) => own.has(nameOf(entry)) && own.get(nameOf(entry)) !== entry._id;
  for (const entry of [...(await registry.refresh()).values()].filter(isOther)) {
    // A program that does not note its use counts as seen now.
    if (entry.usedAt === undefined) await registry.noteUse([entry._id], now);
    else if (entry.usedAt < before && (await drop(client, registry, entry)))
      dropped.push({ name: nameOf(entry), version: entry.version });
  }
  return dropped;
}

/** The rows first: what a crash leaves is found by the entry. A process that begins to use them meanwhile makes new ones. */
async function drop(client: StoreClient, registry: CollectionRegistry, entry: RegistryEntry): Promise<boolean> {
  const { shared } = JSON.parse(entry.fields) as { readonly shared?: { readonly name: string } };
  for (const name of shared ? [entry._id, shared.name] : [entry._id]) {
    for (const { collection } of await generationsOf(client, name)) {
      await client.ask((deadline) => client.collection(collection).drop(deadline));
    }
  }
  return registry.remove(entry);
}
