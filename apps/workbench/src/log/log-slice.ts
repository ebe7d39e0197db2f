import type { FeedBatch, FeedOptions, Position } from '@ports/event-store.port';
import type { AsOf } from '../as-of.js';
import type { EventLog } from './event-log.js';

/** Clocks of gateways differ by so much: an event of an earlier time may come after a later one. */
const CLOCKS_DIFFER_MS = 2_000;

/** The events that had happened by then, which ends once no more of them can come. */
export class LogSlice {
  constructor(
    private readonly log: Pick<EventLog, 'subscribe'>,
    private readonly asOf: AsOf,
  ) {}

  async *subscribe(from: Position, options: FeedOptions): AsyncIterable<FeedBatch> {
    let upTo = from;
    for await (const batch of this.log.subscribe(from, options)) {
      const end = batch.events.findIndex((record) => this.isPast(record.position, record.event.at));
      const before = end === -1 ? batch.events : batch.events.slice(0, end);
      upTo = end === -1 ? this.notPast(batch.upTo) : (before.at(-1)?.position ?? upTo);
      yield { events: before.filter(({ event }) => this.includes(event.at)), upTo };
      if (end !== -1 || upTo < batch.upTo) return;
    }
  }

  private isPast(position: Position, at: number): boolean {
    return 'position' in this.asOf ? position > this.asOf.position : at > this.asOf.at + CLOCKS_DIFFER_MS;
  }

  private includes(at: number): boolean {
    return 'position' in this.asOf || at <= this.asOf.at;
  }

  private notPast(upTo: Position): Position {
    return 'position' in this.asOf && upTo > this.asOf.position ? this.asOf.position : upTo;
  }
}
