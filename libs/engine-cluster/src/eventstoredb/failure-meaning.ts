import {
  AccessDeniedError,
  MaxAppendSizeExceededError,
  NotLeaderError,
  StreamDeletedError,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { PositionUnusable } from './position.js';

export class NoAnswer extends Error {
  constructor() {
    super('no answer in time');
    this.name = 'NoAnswer';
  }
}

/**
 * `moved on`, `absent` and `too large` are answers. `refused`: nothing was written, and a retry is useless. `not sent`: nothing was
 * written. `unknown`: it may have been written. `fault`: the call was wrong.
 */
export type FailureMeaning = 'moved on' | 'absent' | 'too large' | 'refused' | 'not sent' | 'unknown' | 'fault';

const FAULTS = [TypeError, RangeError, ReferenceError, SyntaxError, PositionUnusable];
/** gRPC: invalid argument, permission denied, unimplemented, unauthenticated. */
const REFUSALS: readonly unknown[] = [3, 7, 12, 16];
/** Messages of a driver that had no connection, so the call cannot have reached a server. */
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
