import { MongoServerError } from 'mongodb';

const DUPLICATE_KEY = 11_000;

/** Whether a server refused to insert a document because there is one of the same key. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/**
 * Runs an upsert again where another of the same key came first: of two that find nothing, the server refuses one instead of
 * applying it to what the other has inserted.
 */
export async function upserting<T>(upsert: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await upsert();
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
}
