import type { EnvelopeActor, Envelope } from '@domain/kernel/envelope';
import type { IdKind } from '@domain/kernel/ids';
import type { Ids } from '@ports/ids.port';

/** How a client knows its request; null without a request or a key. */
export interface RequestNames {
  readonly requestId: string | null;
  readonly idempotencyKey: string | null;
}

export const NO_REQUEST: RequestNames = { requestId: null, idempotencyKey: null };

/** Names a command's appends, and what caused them. */
export interface CommandOrigin {
  /** The same for every execution under one key. */
  readonly commandId: string;
  readonly envelope: Envelope;
}

export function partOf({ commandId, envelope }: CommandOrigin, part: string): CommandOrigin {
  return { commandId: `${commandId}:${part}`, envelope };
}

export interface RequestContext extends RequestNames, CommandOrigin {
  readonly projectId: string;
  /** When the first execution of this request began (epoch milliseconds). */
  readonly startedAt: number;
  /** An earlier execution under the same key may have done part of the work. */
  readonly isRetry: boolean;
  /** With `startedAt`, the source of the request's ids: the same for every execution under one key. */
  readonly idSeed: readonly string[];
}

/** The id of what a request creates for one purpose; under a key the same in every execution. */
export function idFor(ids: Ids, { startedAt, idSeed }: RequestContext, kind: IdKind, purpose: string): string {
  return ids.derived(kind, startedAt, ...idSeed, purpose);
}

/** The correlation id is the same for every execution under one key. */
export function requestEnvelope(
  ids: Ids,
  { startedAt, idSeed }: Pick<RequestContext, 'startedAt' | 'idSeed'>,
  requestId: string,
  actor: EnvelopeActor,
): Envelope {
  const $correlationId = ids.derived('correlation', startedAt, ...idSeed, 'correlation');
  return { $correlationId, $causationId: requestId, actor, requestId };
}
