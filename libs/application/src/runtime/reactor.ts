import type { Recorded } from '@ports/event-store.port';

/** Does something outside the read models for each event. */
export interface Reactor {
  /** In lower case with dashes. It names the checkpoint's stream `reactor-<name>`, so it must never change. */
  readonly name: string;
  /** The categories of streams whose events it handles: `<category>-…`. */
  readonly categories: readonly string[];
  /**
   * The partition of an event: events of one partition are handled in order, partitions beside each other, so that none waits
   * for another. Null for an event that does not concern the reactor. Without it, the reactor is handed everything in order.
   */
  partitionKey?(record: Recorded): string | null;
  /**
   * Reacts to events of one partition in order, each at least once: it must be idempotent. A rejection is tried again later.
   * What takes long stops early, by rejecting, when the signal aborts.
   */
  handle(events: readonly Recorded[], signal: AbortSignal): Promise<void>;
}
