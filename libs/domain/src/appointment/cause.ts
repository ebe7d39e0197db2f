import type { ActorType } from '../kernel/envelope.js';

/** Who made a change. */
export interface Actor {
  readonly type: ActorType;
  readonly sessionId: string | null;
}

/** The origin of an appointment's change. */
export interface Cause {
  /** The reason given by the request; null when it gave none. */
  readonly reason: string | null;
  readonly actor: Actor;
  /** Identifies the command; a retry carries the same id, so that it takes effect once. */
  readonly commandId: string;
  /** Everything one request causes carries the same id. */
  readonly correlationId: string;
  readonly requestId: string | null;
  readonly idempotencyKey: string | null;
}
