import { ID_PREFIXES } from './ids.js';

/** The types of actors that can cause an event. */
export const ACTOR_TYPES = ['agent', 'client', 'admin', 'system'] as const;
export type ActorType = (typeof ACTOR_TYPES)[number];

/** Who caused an event: never a secret or a name. */
export interface EnvelopeActor {
  readonly type: ActorType;
  /** The id of the API key, the call or the admin's session. */
  readonly id?: string;
}

/**
 * What caused an event, stored beside it. Folds do not read it, and events of earlier versions have none. The names with `$` are
 * those that EventStoreDB's own tools know.
 */
export interface Envelope {
  /** The same on everything that one request, message, task or round of a timer causes. */
  readonly $correlationId: string;
  /**
   * What led to the event: `<stream>@<revision>` of another event, `req_…`, `task_…` or `timer:<name>`. Absent where that is the
   * event before it in its own stream with the same correlation id.
   */
  readonly $causationId?: string;
  /** On events that a request, task or timer causes itself; `requestId` too. */
  readonly actor?: EnvelopeActor;
  readonly requestId?: string;
}

/** The correlation id of everything that belongs to the thing with this id, such as a message: always the same. */
export function correlationOf(id: string): string {
  return `${ID_PREFIXES.correlation}_${id.slice(id.indexOf('_') + 1)}`;
}
