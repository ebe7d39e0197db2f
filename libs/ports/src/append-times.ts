/** How long an append may take, in milliseconds. Each time has to be before the next. */
export const APPEND_TIMES = {
  /**
   * A command sends a batch of unknown outcome again until then. Before the next: an `unknown` that an engine says later is final,
   * since the engine has sent the batch again itself, or waits for it still.
   */
  sentAgainForMs: 4_000,
  /** An engine that waits for its disk says `unknown`. Before the next, by which its caller was promised an answer. */
  unknownAfterMs: 4_500,
  /** Every append has settled, an engine's own tries to learn its outcome included: the promise of `EventStore.append`. */
  settledWithinMs: 5_000,
} as const;
