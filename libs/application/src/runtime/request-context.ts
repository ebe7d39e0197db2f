import type { IdKind } from '@domain/kernel/ids';
import type { Ids } from '@ports/ids.port';

/** What a client knows its request by: nothing when none is behind it, and no key when it gave none. */
export interface RequestNames {
  readonly requestId: string | null;
  readonly idempotencyKey: string | null;
}

export const NO_REQUEST: RequestNames = { requestId: null, idempotencyKey: null };

/** The request behind a command. */
export interface RequestContext extends RequestNames {
  readonly projectId: string;
  /** When the first execution of this request began (epoch milliseconds). */
  readonly startedAt: number;
  /** An earlier execution under the same key may have done part of the work. */
  readonly isRetry: boolean;
  /** Names this request's appends: the same for every execution under one key. */
  readonly commandId: string;
  /** Together with `startedAt`, what its ids come from: the same for every execution under one key. */
  readonly idSeed: readonly string[];
}

/** The id that a request gives what it makes for one purpose: under a key the same in every execution. */
export function idFor(ids: Ids, { startedAt, idSeed }: RequestContext, kind: IdKind, purpose: string): string {
  return ids.derived(kind, startedAt, ...idSeed, purpose);
}
