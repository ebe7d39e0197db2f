import { StoreUnavailable } from '@ports/event-store.port';
import { nameOf } from '@ports/failure';
import { MongoError, MongoInvalidArgumentError, MongoServerError } from 'mongodb';

/** Codes of a server that could not make sense of what it was asked: asking again will not help. */
const MISTAKES: readonly unknown[] = [2, 9, 14];

/** A failure of the store as `StoreUnavailable`; a mistake of ours as it is. */
export function asStoreFailure(error: unknown): unknown {
  if (!(error instanceof MongoError) || error instanceof MongoInvalidArgumentError) return error;
  if (error instanceof MongoServerError && MISTAKES.includes(error.code)) return error;
  return new StoreUnavailable(`MongoDB: ${nameOf(error)}: ${error.message}`);
}
