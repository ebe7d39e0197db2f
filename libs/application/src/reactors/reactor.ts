import type { Recorded } from '@ports/event-store.port';

/** A side effect of events. */
export interface Reactor {
  /** Dashes only; names the stream of its checkpoint, so it never changes. */
  readonly name: string;
  /** Streams whose events it reacts to: `<category>-…`. */
  readonly categories: readonly string[];
  /**
   * Reacts to events in order, each at least once: what it does must change nothing when done again. Rejecting means
   * trying again later. Stops early, by rejecting, when the signal aborts.
   */
  handle(events: readonly Recorded[], signal: AbortSignal): Promise<void>;
}
