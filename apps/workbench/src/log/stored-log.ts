import type { EventStore, FeedBatch, Position, Recorded } from '@ports/event-store.port';
import type { EventLog, LogOptions } from './event-log.js';

/** The log straight from its store. */
export class StoredLog implements EventLog {
  constructor(private readonly store: EventStore) {}

  head(): Promise<Position> {
    return this.store.head();
  }

  holds(position: Position): Promise<boolean> {
    return this.store.holds(position);
  }

  async *subscribe(from: Position, options: LogOptions): AsyncIterable<FeedBatch> {
    const end = await this.store.head();
    if (from >= end) return;
    for await (const batch of this.store.subscribe(from, options)) {
      yield wantedOf(batch, options);
      if (batch.upTo >= end) return;
    }
  }

  async *follow(from: Position, options: LogOptions): AsyncIterable<FeedBatch> {
    for await (const batch of this.store.subscribe(from, options)) yield wantedOf(batch, options);
  }
}

function wantedOf({ events, upTo }: FeedBatch, { types, streams }: LogOptions): FeedBatch {
  const isWanted = ({ stream, event }: Recorded) => (types?.includes(event.type) ?? true) && (streams?.includes(stream) ?? true);
  return { events: events.filter(isWanted), upTo };
}
