import { type Collection, type Document, type IndexDescription, MongoServerError } from 'mongodb';
import type { Deadline } from './store-client.js';

export type NamedIndex = IndexDescription & { readonly name: string };

/** Error codes for a different index with this name or these fields. */
const CONFLICTS: readonly unknown[] = [85, 86];

const NO_SUCH_COLLECTION = 26;

/** Creates missing indexes, and recreates those that differ under the same name. */
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
