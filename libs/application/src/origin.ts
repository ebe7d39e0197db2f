import type { IdKind } from '@domain/kernel/ids';

/** What a client knows its request by: nothing when none is behind it, and no key when it gave none. */
export interface RequestNames {
  readonly requestId: string | null;
  readonly idempotencyKey: string | null;
}

export const NO_REQUEST: RequestNames = { requestId: null, idempotencyKey: null };

/** The request behind a command: whose it is, and how the ids made under it come about. */
export interface Origin extends RequestNames {
  readonly projectId: string;
  /** When the first execution of this request began (epoch milliseconds). */
  readonly startedAt: number;
  /** An earlier execution under the same key may have done part of the work. */
  readonly again: boolean;
  /** Names this request's appends: the same for every execution under one key. */
  readonly commandId: string;
  /** The id for one purpose: under a key the same in every execution. */
  id(kind: IdKind, purpose: string): string;
}
