import type { DomainEvent } from '@domain/kernel/decider';
import { pause } from '@ports/clock.port';
import { START, type FeedBatch, type Position, type Recorded } from '@ports/event-store.port';
import type { AdminSession } from '../service/admin-session.js';
import { Patience } from '../service/patience.js';
import { ServiceFailure } from '../service/service-failure.js';
import type { EventLog, LogOptions } from './event-log.js';
import type { LogLine } from './log-line.js';

const LOG = '/admin/v1/log';
const AT_ONCE = 128;
const BAD_REQUEST = 400;
const PAUSE_MS = 500;

/** The log as the admin API tells it. `upTo` is never later than the last event that came: an answer may end early. */
export class HttpLog implements EventLog {
  constructor(private readonly session: AdminSession) {}

  async head(): Promise<Position> {
    const { data } = await this.session.get<{ data: readonly { head: Position }[] }>('/admin/v1/projections');
    return data[0]?.head ?? START;
  }

  async holds(position: Position): Promise<boolean> {
    try {
      for await (const _ of this.session.lines(`${LOG}?after=${position}&limit=1`, new AbortController().signal));
      return true;
    } catch (error) {
      if (error instanceof ServiceFailure && error.status === BAD_REQUEST) return false;
      throw error;
    }
  }

  /** Ends at the position that was the log's end when it was called, or when an answer has no events. */
  async *subscribe(from: Position, options: LogOptions): AsyncIterable<FeedBatch> {
    const end = await this.head();
    const feed = new Reading(this.session, from, options, false);
    do yield* feed.answer();
    while (feed.broughtSome && feed.position < end && !options.signal.aborted);
  }

  async *follow(from: Position, options: LogOptions): AsyncIterable<FeedBatch> {
    const feed = new Reading(this.session, from, options, true);
    while (!options.signal.aborted) {
      yield* feed.answer();
      await pause(this.session.clock, PAUSE_MS, options.signal);
    }
  }
}

class Reading {
  broughtSome = false;
  private readonly patience: Patience;

  constructor(
    private readonly session: AdminSession,
    public position: Position,
    private readonly options: LogOptions,
    private readonly follows: boolean,
  ) {
    this.patience = new Patience(session.clock);
  }

  /** One answer, gone on with where it breaks off. */
  async *answer(): AsyncGenerator<FeedBatch> {
    this.broughtSome = false;
    for (;;) {
      try {
        yield* this.batches();
        return;
      } catch (error) {
        await this.patience.after(error, this.options.signal);
      }
    }
  }

  private async *batches(): AsyncGenerator<FeedBatch> {
    const { atOnce = AT_ONCE, signal } = this.options;
    // A reader that follows has each event when it comes.
    const most = this.follows ? 1 : atOnce;
    let events: Recorded[] = [];
    for await (const line of this.session.lines(this.path, signal)) {
      events.push(recordIn(line));
      if (events.length < most) continue;
      yield this.batchOf(events);
      events = [];
    }
    if (events.length > 0) yield this.batchOf(events);
  }

  private batchOf(events: readonly Recorded[]): FeedBatch {
    this.patience.succeeded();
    this.broughtSome = true;
    this.position = events.at(-1)?.position ?? this.position;
    return { events, upTo: this.position };
  }

  private get path(): string {
    const { categories, types, streams } = this.options;
    const query = new URLSearchParams({
      ...(this.position !== START && { after: this.position }),
      ...(categories && { category: categories.join(',') }),
      ...(types && { type: types.join(',') }),
      ...(streams && { stream: streams.join(',') }),
      ...(this.follows && { follow: 'true' }),
    });
    return `${LOG}?${query}`;
  }
}

function recordIn(line: string): Recorded {
  const { position, stream, revision, type, at, data, envelope } = JSON.parse(line) as LogLine;
  const event = { type, at: Date.parse(at), ...data } as DomainEvent;
  return { id: position, stream, revision, position, event, ...(envelope && { metadata: envelope }) };
}
