import { LRUCache } from 'lru-cache';
import type { Database, Reading } from '../database.js';
import type { AppendAnswer, AppendRequest, EventRequest, WriteAnswer } from '../writer/requests.js';

interface Stream {
  readonly id: number;
  last: number;
  readonly retired: boolean;
}

const STREAMS_CACHED = 20_000;

/** The newest position. Events of retired streams are gone, so `meta` keeps the head before that. */
const HEAD = `SELECT max(
  coalesce((SELECT max(position) FROM events), 0), coalesce((SELECT value FROM meta WHERE name = 'head'), 0)
)`;

export class EventWrites {
  private readonly streams = new LRUCache<string, Stream>({ max: STREAMS_CACHED });
  private head: number;
  private readonly findStream;
  private readonly lastRevision;
  private readonly addStream;
  private readonly addEvent;
  private readonly idsBetween;
  private readonly markRetired;
  private readonly dropEvents;
  private readonly rememberHead;

  constructor(private readonly db: Database) {
    this.findStream = db.prepare('SELECT id, retired FROM streams WHERE name = ?');
    this.lastRevision = db.prepare('SELECT max(revision) FROM events WHERE stream = ?');
    this.addStream = db.prepare('INSERT INTO streams (name) VALUES (?) ON CONFLICT (name) DO NOTHING');
    this.addEvent = db.prepare('INSERT INTO events (position, stream, revision, id, body, metadata) VALUES (?, ?, ?, ?, ?, ?)');
    this.idsBetween = db.prepare(
      'SELECT position, id FROM events WHERE stream = ? AND revision BETWEEN ? AND ? ORDER BY revision',
    );
    this.markRetired = db.prepare('UPDATE streams SET retired = ? WHERE id = ?');
    this.dropEvents = db.prepare('DELETE FROM events WHERE stream = ?');
    this.rememberHead = db.prepare("INSERT OR REPLACE INTO meta (name, value) VALUES ('head', ?)");
    this.head = storedHead(this.db);
  }

  perform(request: EventRequest): WriteAnswer {
    return request.kind === 'append' ? this.append(request) : this.retire(request.stream);
  }

  /** Call after a rollback: the cached state may never have been stored. */
  forget(): void {
    this.streams.clear();
    this.head = storedHead(this.db);
  }

  private append(request: AppendRequest): AppendAnswer {
    const stream = request.expected === -1 ? this.begun(request.stream) : this.stream(request.stream);
    if (!stream) return { movedOn: -1 };
    if (stream.retired) return { movedOn: null };
    if (stream.last !== request.expected) return this.firstAnswer(stream, request) ?? { movedOn: stream.last };
    for (const [index, body] of request.bodies.entries()) {
      const metadata = request.metadata[index] ?? null;
      this.addEvent.run(++this.head, stream.id, ++stream.last, request.ids[index] ?? '', body, metadata);
    }
    return this.head;
  }

  /** Tries to create the stream first: a writer that expects none is usually right. */
  private begun(name: string): Stream {
    return this.streams.get(name) ?? this.create(name) ?? (this.stream(name) as Stream);
  }

  /** The position at which this batch was stored before; undefined if it was not. */
  private firstAnswer(stream: Stream, { expected, ids }: AppendRequest): number | undefined {
    const end = expected + ids.length;
    if (end > stream.last) return undefined;
    const stored = this.idsBetween.all(stream.id, expected + 1, end) as [number, string][];
    return stored.every(([, id], index) => id === ids[index]) ? stored.at(-1)?.[0] : undefined;
  }

  private retire(name: string): null {
    const stream = this.begun(name);
    if (stream.retired) return null;
    this.rememberHead.run(this.head);
    this.dropEvents.run(stream.id);
    this.markRetired.run(stream.last, stream.id);
    this.streams.delete(name);
    return null;
  }

  private stream(name: string): Stream | undefined {
    const known = this.streams.get(name);
    if (known) return known;
    const found = this.findStream.get(name) as [number, number | null] | undefined;
    if (!found) return undefined;
    const [id, retired] = found;
    const [last] = this.lastRevision.get(id) as [number | null];
    return this.remember(name, { id, last: last ?? retired ?? -1, retired: retired !== null });
  }

  private create(name: string): Stream | null {
    const { changes, lastInsertRowid } = this.addStream.run(name);
    return changes === 0 ? null : this.remember(name, { id: Number(lastInsertRowid), last: -1, retired: false });
  }

  private remember(name: string, stream: Stream): Stream {
    this.streams.set(name, stream);
    return stream;
  }
}

/** The newest position ever committed, retired events included. */
export function storedHead(db: Reading): number {
  return (db.prepare(HEAD).get() as [number])[0];
}
