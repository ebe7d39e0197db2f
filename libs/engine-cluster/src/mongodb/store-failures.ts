import { StoreUnavailable } from '@ports/event-store.port';
import { failureReason } from '@ports/failure';
import { MongoError, MongoInvalidArgumentError, MongoServerError } from 'mongodb';

/** Codes of a server that could not make sense of what it was asked: asking again will not help. */
const MISTAKES: readonly unknown[] = [2, 9, 14];

/** A failure of the store as `StoreUnavailable`; a mistake of ours as it is. */
export function asStoreFailure(error: unknown): unknown {
  if (isMistake(error) || !(error instanceof MongoError || isOfSocket(error))) return error;
  return new StoreUnavailable(`MongoDB: ${failureReason(error)}`);
}

function isMistake(error: unknown): boolean {
  return error instanceof MongoInvalidArgumentError || (error instanceof MongoServerError && MISTAKES.includes(error.code));
}

/** The driver passes on as it is what a socket says that was reset before a command was written to it. */
function isOfSocket(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'syscall' in error;
}
