import { type AllStreamRecordedEvent, BACKWARDS, END, FORWARDS, type ReadPosition } from '@eventstore/db-client';
import type { Clock } from '@ports/clock.port';
import { type Position, type Recorded, START } from '@ports/event-store.port';
import { ENGINE_CONSTANTS } from '../engine-constants.js';
import type { Connection } from './connection.js';
import { persist } from './persist.js';
import { placeOf, positionOf } from './position.js';
import { isOwn, storedEvent } from './stored-event.js';

const { deadlineMs } = ENGINE_CONSTANTS.eventStoreDb;
/** The events of the first look for the newest of ours, and by how much each further look is longer. */
const LOOK_BACK = 32;
const LONGER = 8;

export interface LogPage {
  /** Those of the application. */
  readonly events: readonly Recorded[];
  /** The position of the page's last event, be it of the server. */
  readonly upTo: Position;
  /** Whether the log ended here. */
  readonly isLast: boolean;
}

export interface FoundPage extends LogPage {
  /** When its last event was written, by the server's clock; null for an empty page. */
  readonly writtenAt: number | null;
  /** Whether the event was found after which the page begins. It is not where the log was replaced. */
  readonly continues: boolean;
}

/** The last events of the log. */
export interface LogEnd {
  /** Those of the application, newest first: at least the newest one, where there is any. */
  readonly events: readonly Recorded[];
  /** Every event of the application that has this position or a later one is among them. */
  readonly from: Position;
}

/** The log of the server, read in pages. Events of the server, and of applications with another prefix, are left out. */
export class LogPages {
  constructor(
    private readonly connection: Connection,
    private readonly clock: Clock,
    private readonly prefix: string,
  ) {}

  /** What comes after this position. One attempt: whoever follows the log makes the next. */
  async after(position: Position, count: number, withinMs: number = deadlineMs): Promise<FoundPage> {
    const after = BigInt(position);
    // The log is read from an event on, that event included.
    const maxCount = count + 1;
    const page = await this.connection.read(withinMs, (client, options) =>
      client.readAll({ ...options, direction: FORWARDS, fromPosition: placeOf(position), maxCount }),
    );
    const events = page.flatMap(({ event }) => (event ? [event] : []));
    const last = events.at(-1);
    return {
      events: events
        .filter((event) => isOwn(event, this.prefix) && event.position.commit > after)
        .map((event) => storedEvent(event, this.prefix)),
      upTo: last ? commitOf(last) : position,
      writtenAt: last && last.position.commit > after ? last.created.getTime() : null,
      isLast: page.length < maxCount,
      continues: position === START || events[0]?.position.commit === after,
    };
  }

  /** Whether there is an event at this position. */
  async holds(position: Position): Promise<boolean> {
    const page = await persist(this.clock, (withinMs) => this.after(position, 1, withinMs));
    return page.continues || (await this.end()) === position;
  }

  /** The position of the newest event, whoever wrote it. */
  async end(): Promise<Position> {
    const [newest] = await this.backwards(END, 1);
    return newest ? positionOf(newest.position) : START;
  }

  /** The application's newest events, of which none is before `beginning`. */
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

/** Of an event that may be another application's, written in a transaction. */
function commitOf({ position: { commit } }: AllStreamRecordedEvent): Position {
  return positionOf({ commit, prepare: commit });
}
