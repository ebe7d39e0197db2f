import type { ActorType } from '../kernel/envelope.js';

export interface Actor {
  readonly type: ActorType;
  /** Of the call on which an agent acts, or of the administrator. */
  readonly sessionId: string | null;
}

export interface Cause {
  readonly reason: string | null;
  readonly actor: Actor;
  /** A retry carries the same id, so the command takes effect once. */
  readonly commandId: string;
  readonly correlationId: string;
  readonly requestId: string | null;
  readonly idempotencyKey: string | null;
}
