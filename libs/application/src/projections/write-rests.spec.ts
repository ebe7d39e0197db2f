import type { EventStore, FeedBatch, FeedOptions, Position, Recorded } from '@ports/event-store.port';
import { RowsRefused, type StoredRow } from '@ports/read-models.port';
import { FakeClock, settle } from '@testing/fake-clock';
import { notesProjection, type NoteEvent } from '@testing/notes-world';
import type { Projection } from '../read-models/projection.js';
import { ProjectionPass } from './projection-pass.js';

const projection = notesProjection as unknown as Projection;
const BRIEFLY = 20;
const LONGER = 500;

let clock: FakeClock;
let log: Log;
beforeEach(() => {
  clock = new FakeClock();
  log = new Log();
});

const positionOf = (place: number): Position => String(place).padStart(20, '0');

/** A log that grows under a projection, and the rows and checkpoints written. */
class Log {
  readonly written: [rows: number, upTo: number][] = [];
  refusing: 'nothing' | 'rows' | 'everything after rows' = 'nothing';
  private place = 0;
  private readonly batches: FeedBatch[] = [];
  private grown: () => void = () => undefined;
  private readonly end = new AbortController();
  readonly pass = new ProjectionPass(this.store, projection, this.target, positionOf(0), this.options, this.end.signal);
  /** The failure, if any. */
  readonly ended: Promise<unknown> = this.pass.run().catch((error: unknown) => error);

  async grow(notes: number): Promise<void> {
    const events = Array.from({ length: notes }, () => this.note(++this.place));
    if (notes === 0) this.place++;
    this.batches.push({ events, upTo: this.head });
    this.grown();
    await settle();
  }

  get head(): Position {
    return positionOf(this.place);
  }

  stop(): Promise<unknown> {
    this.end.abort();
    return this.ended;
  }

  private note(place: number): Recorded {
    const event: NoteEvent = { type: 'NoteWritten', at: place, projectId: 'prj', text: `note ${place}` };
    return { id: `event ${place}`, stream: `note-${place}`, revision: 0, position: positionOf(place), event };
  }

  private get store(): EventStore {
    const next = () => this.batches.shift();
    const growth = () => new Promise<void>((resolve) => (this.grown = resolve));
    const stopped = () => this.grown();
    async function* subscribe(_: Position, { signal }: FeedOptions): AsyncGenerator<FeedBatch> {
      signal.addEventListener('abort', stopped, { once: true });
      while (!signal.aborted) {
        const batch = next();
        if (batch) yield batch;
        else await growth();
      }
    }
    return { subscribe } as unknown as EventStore;
  }

  private get target() {
    const apply = (rows: readonly StoredRow[], upTo: Position): Promise<void> => {
      if (this.refusing !== 'nothing' && rows.length > 0) return Promise.reject(new RowsRefused('too large'));
      if (this.refusing === 'everything after rows') return Promise.reject(new Error('the disk is full'));
      this.written.push([rows.length, Number(upTo)]);
      return Promise.resolve();
    };
    const getMany = (ids: readonly string[]) => Promise.resolve(ids.map(() => null));
    return { getMany, getShared: getMany, apply };
  }

  private get options() {
    const rest = { clock, brieflyMs: BRIEFLY, manyRows: 3, longerMs: LONGER };
    const told = { onSkipped: () => undefined, onRefused: () => undefined };
    return { writeAt: 0, mostWaiting: 100, batchSize: 100, cachedRows: 100, rest, ...told };
  }
}

describe('before it writes, a projection rests', () => {
  afterEach(() => log.stop());

  it('briefly where rows have changed', async () => {
    await log.grow(1);
    await clock.advance(BRIEFLY - 1);
    expect(log.written).toEqual([]);
    await clock.advance(1);
    expect(log.written).toEqual([[1, 1]]);
  });

  it('longer where nothing has but its place in the log', async () => {
    await log.grow(0);
    await clock.advance(LONGER - 1);
    expect(log.written).toEqual([]);
    await clock.advance(1);
    expect(log.written).toEqual([[0, 1]]);
  });

  it('no longer than briefly once there are rows', async () => {
    await log.grow(0);
    await log.grow(1);
    await clock.advance(BRIEFLY);
    expect(log.written).toEqual([[1, 2]]);
  });

  it('longer after a write of many rows, and briefly again after one of few', async () => {
    await log.grow(3);
    await clock.advance(BRIEFLY);
    await log.grow(1);
    await clock.advance(LONGER - 1);
    expect(log.written).toEqual([[3, 3]]);
    await clock.advance(1);
    await log.grow(1);
    await clock.advance(BRIEFLY);
    expect(log.written).toEqual([
      [3, 3],
      [1, 4],
      [1, 5],
    ]);
  });

  it('not at all while somebody waits, be it one who came later for less', async () => {
    await log.grow(1);
    log.pass.flushUpTo(positionOf(2));
    log.pass.flushUpTo(positionOf(1));
    await settle();
    expect(log.written).toEqual([[1, 1]]);
    await log.grow(1);
    await settle();
    expect(log.written).toEqual([
      [1, 1],
      [1, 2],
    ]);
  });
});

describe('rows that the store does not take', () => {
  it('leave a projection where it is, if then its place cannot be noted either', async () => {
    log.refusing = 'everything after rows';
    await log.grow(2);
    await clock.advance(BRIEFLY);
    expect(await log.ended).toEqual(new Error('the disk is full'));
    expect(log.pass.position).toBe(positionOf(0));
  });

  it('hold up no checkpoint', async () => {
    log.refusing = 'rows';
    await log.grow(2);
    await clock.advance(BRIEFLY);
    expect(log.written.at(-1)).toEqual([0, 2]);
    await log.stop();
  });
});
