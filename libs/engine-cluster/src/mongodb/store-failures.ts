import { StoreUnavailable } from '@ports/event-store.port';
import { MongoError, MongoInvalidArgumentError, MongoServerError } from 'mongodb';
import { shortName } from '../short-name.js';

/** Codes of a server that could not make sense of what it was asked: asking again will not help. */
const MISTAKES: readonly unknown[] = [2, 9, 14];

/** A failure of the store as `StoreUnavailable`, in words for the log, which has it already; a mistake of ours as it is. */
export function asStoreFailure(error: unknown): unknown {
  if (isMistake(error) || !(error instanceof MongoError || isOfSocket(error))) return error;
  const what = error instanceof MongoServerError ? 'refuses a call' : 'does not answer a call';
  return new StoreUnavailable(`MongoDB ${what}: ${shortName(error)}`, true);
}

function isMistake(error: unknown): boolean {
  return error instanceof MongoInvalidArgumentError || (error instanceof MongoServerError && MISTAKES.includes(error.code));
}

/** The driver passes on as it is what a socket says that was reset before a command was written to it. */
function isOfSocket(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'syscall' in error;
}
