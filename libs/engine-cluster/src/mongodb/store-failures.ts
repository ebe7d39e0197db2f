import { StoreUnavailable } from '@ports/event-store.port';
import { nameOf } from '@ports/failure';
import { MongoError, MongoInvalidArgumentError, MongoServerError } from 'mongodb';

/** Codes of a server that could not make sense of what it was asked: asking again will not help. */
const MISTAKES: readonly unknown[] = [2, 9, 14, 11_000];
const DUPLICATE_KEY = 11_000;

/** A failure of the store as `StoreUnavailable`; a mistake of ours as it is. */
export function asStoreUnavailable(error: unknown): unknown {
  if (!(error instanceof MongoError) || error instanceof MongoInvalidArgumentError) return error;
  if (error instanceof MongoServerError && MISTAKES.includes(error.code)) return error;
  return new StoreUnavailable(`MongoDB: ${nameOf(error)}: ${error.message}`);
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
      if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) throw error;
    }
  }
}
