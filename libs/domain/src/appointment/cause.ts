export const ACTOR_TYPES = ['agent', 'client', 'admin', 'system'] as const;
type ActorType = (typeof ACTOR_TYPES)[number];

/** Who made a change. */
export interface Actor {
  readonly type: ActorType;
  readonly sessionId: string | null;
}

/** Where a change of an appointment comes from. */
export interface Cause {
  /** As the request gave it; null when it gave none. */
  readonly reason: string | null;
  readonly actor: Actor;
  /** Names the command: the same when it runs again, so that it takes effect once. */
  readonly commandId: string;
  /** The same for everything one request did. */
  readonly correlationId: string;
  readonly requestId: string | null;
  readonly idempotencyKey: string | null;
}
