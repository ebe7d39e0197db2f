import { type Collection, type Document, type IndexDescription, MongoServerError } from 'mongodb';

export type NamedIndex = IndexDescription & { readonly name: string };

/** The codes of a server that has an index of this name, or over these fields, that is another. */
const CONFLICTS: readonly unknown[] = [85, 86];

/** Creates the indexes that are missing, and anew those that are others under the same name. */
export async function ensureIndexes<Shape extends Document>(
  collection: Collection<Shape>,
  indexes: readonly NamedIndex[],
): Promise<void> {
  if (await created(collection, indexes)) return;
  for (const index of indexes) {
    if (await created(collection, [index])) continue;
    await collection.dropIndex(index.name);
    await collection.createIndexes([index]);
  }
}

async function created<Shape extends Document>(collection: Collection<Shape>, indexes: readonly NamedIndex[]): Promise<boolean> {
  try {
    await collection.createIndexes([...indexes]);
    return true;
  } catch (error) {
    if (error instanceof MongoServerError && CONFLICTS.includes(error.code)) return false;
    throw error;
  }
}
