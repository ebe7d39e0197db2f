import { ID_PREFIXES } from './ids.js';

export const ACTOR_TYPES = ['agent', 'client', 'admin', 'system'] as const;
export type ActorType = (typeof ACTOR_TYPES)[number];

/** Who caused an event: never a secret or a name. */
export interface EnvelopeActor {
  readonly type: ActorType;
  /** Of an API key or a call. Earlier versions stored a part of an administrator's session here. */
  readonly id?: string;
  /** Of an administrator's session. */
  readonly sessionId?: string;
}

/** An event's causes, as its metadata. Folds ignore it, earlier versions lack it. EventStoreDB's tools know the names with `$`. */
export interface Envelope {
  /** Shared by everything that one request, message, task or timer round causes. */
  readonly $correlationId: string;
  /** `<stream>@<revision>`, `req_…`, `task_…` or `timer:<name>`. Absent if it is the stream's previous event of this correlation. */
  readonly $causationId?: string;
  /** Like `requestId`, only on events caused directly by a request, task or timer. */
  readonly actor?: EnvelopeActor;
  readonly requestId?: string;
  /** That of the span in which the event was caused (W3C Trace Context); where requests are traced. */
  readonly traceparent?: string;
}

/** The correlation id derived from an entity's id. */
export function correlationOf(id: string): string {
  return `${ID_PREFIXES.correlation}_${id.slice(id.indexOf('_') + 1)}`;
}
