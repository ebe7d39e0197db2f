import { StoreUnavailable } from '@ports/event-store.port';
import { MongoError, MongoInvalidArgumentError, MongoServerError } from 'mongodb';
import { shortName } from '../short-name.js';

/** Error codes for malformed requests: a retry will not help. */
const MISTAKES: readonly unknown[] = [2, 9, 14];

/** Failures of the store become `StoreUnavailable` with a reason for the log; our own mistakes pass unchanged. */
export function asStoreFailure(error: unknown): unknown {
  if (isMistake(error) || !(error instanceof MongoError || isOfSocket(error))) return error;
  const what = error instanceof MongoServerError ? 'refuses a call' : 'does not answer a call';
  return new StoreUnavailable(`MongoDB ${what}: ${shortName(error)}`, true);
}

function isMistake(error: unknown): boolean {
  return error instanceof MongoInvalidArgumentError || (error instanceof MongoServerError && MISTAKES.includes(error.code));
}

/** The driver passes on the socket's error if it was reset before a command was written. */
function isOfSocket(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'syscall' in error;
}
