import type { DomainEvent } from '@domain/kernel/decider';
import type { Envelope } from '@domain/kernel/envelope';
import type { ReadOptions, Recorded } from '@ports/event-store.port';
import type { Reading, Statement } from '../database.js';
import { positionOf } from './position.js';
import { ReadScheduler } from './read-scheduler.js';

type StreamRow = [position: number, revision: number, id: string, body: string, metadata: string | null];
type FeedRow = [...StreamRow, stream: string];

const EVENT_COSTS = 2_000;

const COLUMNS = 'e.position, e.revision, e.id, e.body, e.metadata';
const CATEGORY = "substr(s.name, 1, instr(s.name, '-') - 1)";

/** Consecutive events and the length of their JSON. */
export interface Stretch {
  readonly events: readonly Recorded[];
  readonly characters: number;
}

export class StoredEvents {
  private readonly forwards;
  private readonly backwards;
  private readonly last;
  private readonly ranges = new Map<string, Statement>();
  readonly reads = new ReadScheduler();

  constructor(private readonly db: Reading) {
    const stream = 'e.stream = (SELECT id FROM streams WHERE name = ?)';
    const select = `SELECT ${COLUMNS} FROM events e WHERE ${stream}`;
    this.forwards = db.prepare(`${select} AND e.revision >= ? ORDER BY e.revision LIMIT ?`);
    this.backwards = db.prepare(`${select} AND e.revision <= ? ORDER BY e.revision DESC LIMIT ?`);
    this.last = db.prepare(`SELECT max(e.revision) FROM events e WHERE ${stream}`);
  }

  read<E extends DomainEvent>(stream: string, options: ReadOptions): Recorded<E>[] {
    const backwards = options.direction === 'backwards';
    const from = options.from ?? (backwards ? Number.MAX_SAFE_INTEGER : 0);
    const rows = (backwards ? this.backwards : this.forwards).all(stream, from, options.limit ?? -1) as StreamRow[];
    this.reads.note(rows.reduce((sum, row) => sum + lengthOf(row) + EVENT_COSTS, 0));
    return rows.map((row) => recorded<E>(row, stream));
  }

  /** -1 for a stream without events. */
  lastRevision(stream: string): number {
    return (this.last.get(stream) as [number | null])[0] ?? -1;
  }

  between(after: number, upTo: number, categories: readonly string[] | undefined): Stretch {
    const wanted = categories ?? ['reactor'];
    const rows = this.range(wanted.length, categories === undefined).all(after, upTo, ...wanted) as FeedRow[];
    const events = rows.map(([position, revision, id, body, metadata, stream]) =>
      recorded([position, revision, id, body, metadata], stream),
    );
    return { events, characters: rows.reduce((sum, row) => sum + lengthOf(row), 0) };
  }

  private range(count: number, except: boolean): Statement {
    const test = `${except ? 'NOT ' : ''}IN (${Array(count).fill('?').join(', ')})`;
    const known = this.ranges.get(test);
    if (known) return known;
    const statement = this.db.prepare(
      `SELECT ${COLUMNS}, s.name FROM events e CROSS JOIN streams s ON s.id = e.stream
       WHERE e.position > ? AND e.position <= ? AND ${CATEGORY} ${test} ORDER BY e.position`,
    );
    this.ranges.set(test, statement);
    return statement;
  }
}

function lengthOf([, , , body, metadata]: StreamRow | FeedRow): number {
  return body.length + (metadata?.length ?? 0);
}

function recorded<E extends DomainEvent>([position, revision, id, body, metadata]: StreamRow, stream: string): Recorded<E> {
  const stored = { id, stream, revision, position: positionOf(position), event: JSON.parse(body) as E };
  return metadata === null ? stored : { ...stored, metadata: JSON.parse(metadata) as Envelope };
}
