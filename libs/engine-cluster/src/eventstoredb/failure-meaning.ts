import {
  AccessDeniedError,
  MaxAppendSizeExceededError,
  NotLeaderError,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { PositionUnusable } from './position.js';

/** The server did not answer in time. */
export class NoAnswer extends Error {
  constructor() {
    super('no answer in time');
    this.name = 'NoAnswer';
  }
}

/**
 * What a failed call means. `moved on`, `absent` and `too large` are answers. `refused`: nothing was written, and asking again
 * is of no use. `not sent`: nothing was written. `unknown`: whether it was written only the server knows. `fault`: the call was
 * wrong, not the server.
 */
export type FailureMeaning = 'moved on' | 'absent' | 'too large' | 'refused' | 'not sent' | 'unknown' | 'fault';

const FAULTS = [TypeError, RangeError, ReferenceError, SyntaxError, PositionUnusable];
/** Status codes of gRPC: invalid argument, permission denied, unimplemented, unauthenticated. */
const REFUSALS: readonly unknown[] = [3, 7, 12, 16];
/** What the driver says where it never had a connection, so that the call cannot have reached a server. */
const NEVER_SENT = /No connection established|Channel closed before call started|Name resolution failed|Failed to discover/;

export function failureMeaning(failure: unknown): FailureMeaning {
  if (failure instanceof WrongExpectedVersionError || failure instanceof StreamDeletedError) return 'moved on';
  if (failure instanceof StreamNotFoundError) return 'absent';
  if (failure instanceof MaxAppendSizeExceededError) return 'too large';
  if (failure instanceof NotLeaderError) return 'not sent';
  if (failure instanceof AccessDeniedError) return 'refused';
  if (!(failure instanceof Error)) return 'unknown';
  if (FAULTS.some((fault) => failure instanceof fault)) return 'fault';
  if (REFUSALS.includes((failure as { code?: unknown }).code)) return 'refused';
  return NEVER_SENT.test(failure.message) ? 'not sent' : 'unknown';
}
