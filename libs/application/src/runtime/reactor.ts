import type { Recorded } from '@ports/event-store.port';

/** Has an effect outside the read models for each event. */
export interface Reactor {
  /** Lower case with dashes. Names the checkpoint's stream `reactor-<name>`, so it must never change. */
  readonly name: string;
  readonly categories: readonly string[];
  /** Partitions run concurrently, their events in order. Null for ignored events. By default all events are in order. */
  partitionKey?(record: Recorded): string | null;
  /** Each event at least once, so it must be idempotent. A rejection is retried. Long work must reject early on abort. */
  handle(events: readonly Recorded[], signal: AbortSignal): Promise<void>;
}
