import { MongoServerError } from 'mongodb';

const DUPLICATE_KEY = 11_000;

export function isDuplicateKey(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY;
}

/** Retries after a duplicate key: of two concurrent upserts the server refuses one instead of applying it to the other's document. */
export async function upserting<T>(upsert: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await upsert();
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
}
