import type { Recorded } from '@ports/event-store.port';

/** Does something outside the read models for each event. */
export interface Reactor {
  /** In lower case with dashes. It names the checkpoint's stream `reactor-<name>`, so it must never change. */
  readonly name: string;
  /** The categories of streams whose events it handles: `<category>-…`. */
  readonly categories: readonly string[];
  /**
   * Whose events must not wait for others': events of one lane are handled in order, lanes beside each other. Null for an
   * event that is none of its business. A reactor without lanes is handed everything in order.
   */
  laneOf?(record: Recorded): string | null;
  /**
   * Reacts to events of one lane in order, each at least once: what it does must change nothing when done again.
   * Rejecting means trying again later. What takes long stops early, by rejecting, when the signal aborts.
   */
  handle(events: readonly Recorded[], signal: AbortSignal): Promise<void>;
}
