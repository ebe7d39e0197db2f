import { type AllStreamRecordedEvent, BACKWARDS, END, FORWARDS, type ReadPosition } from '@eventstore/db-client';
import type { Clock } from '@ports/clock.port';
import { type Position, type Recorded, START } from '@ports/event-store.port';
import { ENGINE_CONSTANTS } from '../engine-constants.js';
import type { Connection } from './connection.js';
import { persist } from './persist.js';
import { placeOf, positionOf } from './position.js';
import { isOwn, storedEvent } from './stored-event.js';

const { deadlineMs } = ENGINE_CONSTANTS.eventStoreDb;
/** The first search for our newest event reads `LOOK_BACK` events, each further one `LONGER` times as many. */
const LOOK_BACK = 32;
const LONGER = 8;

export interface LogPage {
  readonly events: readonly Recorded[];
  /** The position of the page's last event, even one of the server. */
  readonly upTo: Position;
  readonly isLast: boolean;
}

export interface FoundPage extends LogPage {
  /** When its last event was written, by the server's clock; null for an empty page. */
  readonly writtenAt: number | null;
  /** Whether the event before the page was found. If not, the log was replaced. */
  readonly continues: boolean;
}

export interface LogEnd {
  /** Newest first, events of the application only; at least the newest, if any. */
  readonly events: readonly Recorded[];
  /** `events` holds every event of the application from this position on. */
  readonly from: Position;
}

/** The server's log in pages, without events of the server and of other prefixes. */
export class LogPages {
  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
    private readonly prefix: string,
  ) {}

  /** The events after this position. One attempt: followers of the log retry. */
  async after(position: Position, count: number, withinMs: number = deadlineMs): Promise<FoundPage> {
    const after = BigInt(position);
    // The server's read includes the event at its starting position.
    const maxCount = count + 1;
    const page = await this.connection.read(withinMs, (client, options) =>
      client.readAll({ ...options, direction: FORWARDS, fromPosition: placeOf(position), maxCount }),
    );
    const events = page.flatMap(({ event }) => (event ? [event] : []));
    const told = events.filter((event) => event.position.commit > after).map((event) => this.pageOf(event));
    const last = told.at(-1);
    return {
      events: told.flatMap((each) => each.events),
      upTo: last?.upTo ?? position,
      writtenAt: last?.writtenAt ?? null,
      isLast: page.length < maxCount,
      continues: position === START || events[0]?.position.commit === after,
    };
  }

  /** One event of the log as a page. Throws `PositionUnusable`. */
  pageOf(event: AllStreamRecordedEvent): LogPage & { readonly writtenAt: number } {
    const events = isOwn(event, this.prefix) ? [storedEvent(event, this.prefix)] : [];
    return { events, upTo: commitOf(event), writtenAt: event.created.getTime(), isLast: false };
  }

  async holds(position: Position): Promise<boolean> {
    const page = await persist(this.clock, (withinMs) => this.after(position, 1, withinMs));
    return page.continues || (await this.end()) === position;
  }

  async end(): Promise<Position> {
    const [newest] = await this.backwards(END, 1);
    return newest ? positionOf(newest.position) : START;
  }

  /** The application's newest events, none of them before `beginning`. */
  async last(beginning: Position): Promise<LogEnd> {
    let before: ReadPosition = END;
    for (let count = LOOK_BACK; ; count *= LONGER) {
      const page = await this.backwards(before, count);
      const events = page.filter((event) => isOwn(event, this.prefix)).map((event) => storedEvent(event, this.prefix));
      const oldest = page.at(-1);
      if (!oldest || page.length < count || commitOf(oldest) <= beginning) return { events, from: START };
      if (events.length > 0) return { events, from: commitOf(oldest) };
      before = oldest.position;
    }
  }

  private async backwards(fromPosition: ReadPosition, maxCount: number): Promise<readonly AllStreamRecordedEvent[]> {
    const page = await persist(this.clock, (withinMs) =>
      this.connection.read(withinMs, (client, options) =>
        client.readAll({ ...options, direction: BACKWARDS, fromPosition, maxCount }),
      ),
    );
    return page.flatMap(({ event }) => (event ? [event] : []));
  }
}

/** The event may be another application's, written in a transaction. */
function commitOf({ position: { commit } }: AllStreamRecordedEvent): Position {
  return positionOf({ commit, prepare: commit });
}
