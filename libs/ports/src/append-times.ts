/** The time limits of an append, in milliseconds. Each must be shorter than the next. */
export const APPEND_TIMES = {
  /** A command resends a batch of unknown outcome until then. A later `unknown` is final: the engine has retried, or still waits. */
  sentAgainForMs: 4_000,
  /** An engine that waits for its disk rejects with `AppendOutcomeUnknown` after this. */
  unknownAfterMs: 4_500,
  /** Every append has settled, retries of the engine included: the promise of `EventStore.append`. */
  settledWithinMs: 5_000,
} as const;
