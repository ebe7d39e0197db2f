import type { EventStore, FeedBatch, FeedOptions, Position } from '@ports/event-store.port';

/** Which events of the log are read. */
export interface LogOptions extends FeedOptions {
  /** Only events of these types. */
  readonly types?: readonly string[];
  /** Only events of these streams. */
  readonly streams?: readonly string[];
}

/** The log of a service, as far as folding needs it. */
export interface EventLog extends Pick<EventStore, 'head' | 'holds'> {
  /** As `EventStore.subscribe`, but it ends where the log had its end when it was called, or later. */
  subscribe(from: Position, options: LogOptions): AsyncIterable<FeedBatch>;

  /** As `EventStore.subscribe`. */
  follow(from: Position, options: LogOptions): AsyncIterable<FeedBatch>;
}

/** Of a category that every log begins with, and whose streams are never dropped. */
const BEGINNING = ['project'];

/** Names the log by its first event; null before there is one. */
export async function logName(log: EventLog, from: Position): Promise<string | null> {
  const end = new AbortController();
  try {
    for await (const { events } of log.subscribe(from, { categories: BEGINNING, atOnce: 1, signal: end.signal })) {
      const [first] = events;
      if (first) return `${first.position} ${first.stream} ${first.event.at}`;
    }
    return null;
  } finally {
    end.abort();
  }
}
