import { type Collection, type Document, type IndexDescription, MongoServerError } from 'mongodb';
import type { Deadline } from './store-client.js';

export type NamedIndex = IndexDescription & { readonly name: string };

/** The codes of a server that has an index of this name, or over these fields, that is another. */
const CONFLICTS: readonly unknown[] = [85, 86];

const NO_SUCH_COLLECTION = 26;

/** Creates the indexes that are missing, and anew those that are others under the same name. */
export async function ensureIndexes<Shape extends Document>(
  collection: Collection<Shape>,
  indexes: readonly NamedIndex[],
  deadline: Deadline,
): Promise<void> {
  if (await created(collection, indexes, deadline)) return;
  for (const index of indexes) {
    if (await created(collection, [index], deadline)) continue;
    await collection.dropIndex(index.name, deadline);
    await collection.createIndexes([index], deadline);
  }
}

/** The names of its indexes; none where there is no such collection. */
export async function indexNames<Shape extends Document>(
  collection: Collection<Shape>,
  deadline: Deadline,
): Promise<readonly string[]> {
  try {
    return (await collection.listIndexes(deadline).toArray()).map(({ name }: { readonly name: string }) => name);
  } catch (error) {
    if (error instanceof MongoServerError && error.code === NO_SUCH_COLLECTION) return [];
    throw error;
  }
}

async function created<Shape extends Document>(
  collection: Collection<Shape>,
  indexes: readonly NamedIndex[],
  deadline: Deadline,
): Promise<boolean> {
  try {
    await collection.createIndexes([...indexes], deadline);
    return true;
  } catch (error) {
    if (error instanceof MongoServerError && CONFLICTS.includes(error.code)) return false;
    throw error;
  }
}
