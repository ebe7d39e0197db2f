import type { Lease } from './lease-keeper.js';
import type { IdempotencyRecord, StoredAnswer } from './idempotency-record.js';

/** The right to execute the request of a key, until it is answered. */
export interface HeldClaim extends Lease {
  readonly recordKey: string;
  /** Its `requestId` is that of the first execution which may have had its answer: this one, where none may. */
  record: IdempotencyRecord;
  version: string;
  isHeld: boolean;
  readonly expiresAt: number;
  /** The request that executes now. */
  readonly requestId: string;
  /** An earlier execution may have done part of the work. */
  readonly again: boolean;
  renewal: Promise<void> | null;
  /** Called when the request was answered; null until somebody waits for it. */
  waiting: Set<() => void> | null;
}

export interface KeyedRequest {
  /** Keys of different scopes have nothing to do with each other. */
  readonly scope: string;
  readonly key: string;
  /** Method, path and body in canonical form. */
  readonly request: string;
  readonly requestId: string;
}

export type Begun =
  | { readonly kind: 'execute'; readonly claim: HeldClaim }
  | { readonly kind: 'replay'; readonly answer: StoredAnswer; readonly originalRequest: string };
