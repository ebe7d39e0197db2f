import type { EnvelopeActor, Envelope } from '@domain/kernel/envelope';
import type { IdKind } from '@domain/kernel/ids';
import type { Ids } from '@ports/ids.port';

/** What a client knows its request by: nothing when none is behind it, and no key when it gave none. */
export interface RequestNames {
  readonly requestId: string | null;
  readonly idempotencyKey: string | null;
}

export const NO_REQUEST: RequestNames = { requestId: null, idempotencyKey: null };

/** What a command's appends are named by, and what caused them. */
export interface CommandOrigin {
  /** Names the appends: the same for every execution under one key. */
  readonly commandId: string;
  readonly envelope: Envelope;
}

/** The origin of one of the appends of a command that makes several. */
export function partOf({ commandId, envelope }: CommandOrigin, part: string): CommandOrigin {
  return { commandId: `${commandId}:${part}`, envelope };
}

/** The request behind a command. */
export interface RequestContext extends RequestNames, CommandOrigin {
  readonly projectId: string;
  /** When the first execution of this request began (epoch milliseconds). */
  readonly startedAt: number;
  /** An earlier execution under the same key may have done part of the work. */
  readonly isRetry: boolean;
  /** Together with `startedAt`, what its ids come from: the same for every execution under one key. */
  readonly idSeed: readonly string[];
}

/** The id that a request gives what it makes for one purpose: under a key the same in every execution. */
export function idFor(ids: Ids, { startedAt, idSeed }: RequestContext, kind: IdKind, purpose: string): string {
  return ids.derived(kind, startedAt, ...idSeed, purpose);
}

/** The envelope of what a request causes itself. Its correlation id is the same for every execution under one key. */
export function requestEnvelope(
  ids: Ids,
  { startedAt, idSeed }: Pick<RequestContext, 'startedAt' | 'idSeed'>,
  requestId: string,
  actor: EnvelopeActor,
): Envelope {
  const $correlationId = ids.derived('correlation', startedAt, ...idSeed, 'correlation');
  return { $correlationId, $causationId: requestId, actor, requestId };
}
