import fc from 'fast-check';
import { START, type FeedBatch, type Position, type Recorded } from '@ports/event-store.port';
import type { StoredRow } from '@ports/read-models.port';
import { FakeClock, settle } from '@testing/fake-clock';
import { notesProjection, NotesWorld } from '@testing/notes-world';
import type { Projection } from '../read-models/projection.js';
import { ProjectionPass, type PassOptions } from './projection-pass.js';

const projection = notesProjection as unknown as Projection;
let world: NotesWorld;
beforeEach(async () => void (world = await NotesWorld.open()));
afterEach(() => world.close());

describe('projecting', () => {
  it('gives the same rows however the events are cut into batches and however often they come', async () => {
    await world.notesOfEveryKind();
    const all = await everyNoteEvent();
    const expected = await rowsOf([all]);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 60 }),
        fc.nat(60),
        async (sizes, back) => {
          expect(await rowsOf(batches(all, sizes, back))).toEqual(expected);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('writes a row that changes several times in a row once, and without its rest more often', async () => {
    const id = await world.write('note');
    for (const text of ['one', 'two', 'three', 'four', 'five']) await world.amend(id, text);
    const all = await everyNoteEvent();
    const rest = { clock: new FakeClock(), brieflyMs: 1, manyRows: 16, longerMs: 1 };
    const writes: number[] = [];
    for (const more of [{ rest }, {}]) {
      let written = 0;
      await rowsOf(batches(all, [2], 0), { ...more, onWritten: () => written++ });
      writes.push(written);
    }
    expect(writes[0]).toBe(1);
    expect(writes[1]).toBeGreaterThan(1);
  });

  it('reads on through its rests: whoever has no more room writes at once', async () => {
    await Promise.all(Array.from({ length: 6 }, (_, index) => world.write(`note ${index}`)));
    const all = await everyNoteEvent();
    const rest = { clock: new FakeClock(), brieflyMs: 1_000, manyRows: 1, longerMs: 1_000 };
    const rows = await rowsOf(batches(all, [1], 0), { mostWaiting: 2, rest });
    expect(rows).toHaveLength(new Set(all.map(({ stream }) => stream)).size);
  });

  it('writes many rows in parts, and says that it has seen their events with the last part only', async () => {
    const ids = await Promise.all(Array.from({ length: 7 }, (_, index) => world.write(`note ${index}`)));
    for (const id of ids) await world.amend(id, 'again');
    const all = await everyNoteEvent();
    const stored = new Map<string, string>();
    const parts: number[] = [];
    await rowsOf(batches(all, [all.length], 0), { batchSize: 3 }, (rows, checkpoint) => {
      parts.push(rows.length);
      for (const { id, position } of rows) stored.set(id, position);
      const owed = all.filter((record) => (stored.get(projection.rowIds(record)[0] ?? '') ?? '') < record.position);
      expect(owed.filter(({ position }) => position <= checkpoint)).toEqual([]);
    });
    expect(parts).toEqual([3, 3, 1]);
  });

  it.each([
    [80, [10, 10, 10, 10, 10, 10, 10, 10]],
    [1_030, [129, 129, 129, 129, 129, 129, 129, 127]],
    [4_500, [...Array<number>(8).fill(512), 404]],
  ])('writes the more at once the more rows wait, and bounded: %d', async (count, expected) => {
    const event = { type: 'NoteWritten', at: 1, projectId: 'prj_1', text: 'x' } as const;
    const place = (n: number) => String(n).padStart(20, '0');
    const many = Array.from({ length: count }, (_, n): Recorded => ({
      id: `${n}`,
      stream: `note-${n}`,
      revision: 0,
      position: place(n + 1),
      event,
    }));
    const parts: number[] = [];
    await rowsOf([many], { batchSize: 4, mostWaiting: 10_000 }, (rows) => parts.push(rows.length));
    expect(parts).toEqual(expected);
  });

  it('lets those go on who wait for what is written, and nobody else', async () => {
    await Promise.all(['one', 'two'].map((text) => world.write(text)));
    const all = await everyNoteEvent();
    const end = new AbortController();
    let goOn = (): void => undefined;
    const later = new Promise<void>((resolve) => (goOn = resolve));
    async function* subscribe(): AsyncGenerator<FeedBatch> {
      yield { events: all.slice(0, 1), upTo: all[0]!.position };
      await later;
      yield { events: all.slice(1), upTo: all.at(-1)!.position };
      await new Promise((resolve) => end.signal.addEventListener('abort', resolve));
    }
    const getMany = (ids: readonly string[]) => Promise.resolve(ids.map(() => null));
    const target = { getMany, getShared: getMany, apply: () => settle() };
    const told = { onSkipped: () => undefined, onRefused: () => undefined };
    const options = { writeAt: 0, mostWaiting: 8, batchSize: 2, cachedRows: 3, ...told };
    const store = { subscribe } as unknown as NotesWorld['ports']['events'];
    const pass = new ProjectionPass(store, projection, target, START, options, end.signal);
    const running = pass.run();
    const gone: Position[] = [];
    const [first, last] = [all[0]!.position, all.at(-1)!.position];
    const waits = [last, first].map((position) => pass.flushed(position).then(() => gone.push(position)));
    await waits[1];
    await settle();
    expect(gone).toEqual([first]);
    goOn();
    await waits[0];
    expect(gone).toEqual([first, last]);
    end.abort();
    await running;
  });

  it('gives the same rows when it ends between any two parts and goes on from what it had said', async () => {
    await world.notesOfEveryKind();
    const all = await everyNoteEvent();
    const expected = await rowsOf([all]);
    const failures = fc.array(fc.nat(12), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 30 }), failures, async (size, writesBeforeEach) => {
        const rows = new Map<string, StoredRow>();
        let reached = START;
        const pass = (mayFail: boolean, left: number) => {
          const rest = all.filter(({ position }) => position > reached);
          return rowsOf(
            batches(rest, [size], 0),
            {},
            (_, checkpoint) => {
              if (mayFail && left-- === 0) throw new Error('the store is out of reach');
              reached = checkpoint > reached ? checkpoint : reached;
            },
            rows,
            reached,
          );
        };
        for (const writes of writesBeforeEach) await pass(true, writes).catch(() => undefined);
        expect(await pass(false, 0)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });
});

async function everyNoteEvent(): Promise<readonly Recorded[]> {
  const head = await world.ports.events.head();
  const end = new AbortController();
  const all: Recorded[] = [];
  for await (const { events, upTo } of world.ports.events.subscribe(START, { categories: ['note'], signal: end.signal })) {
    all.push(...events);
    if (upTo >= head) end.abort();
  }
  return all;
}

/** Batches of these sizes, each beginning up to `back` events before the end of the one before. */
function batches(all: readonly Recorded[], sizes: readonly number[], back: number): readonly (readonly Recorded[])[] {
  const cut: (readonly Recorded[])[] = [];
  for (let from = 0, turn = 0; from < all.length; turn++) {
    const size = sizes[turn % sizes.length]!;
    cut.push(all.slice(Math.max(0, from - back), from + size));
    from += size;
  }
  return cut;
}

/** The rows of a projection after these batches, with row guards. */
async function rowsOf(
  cut: readonly (readonly Recorded[])[],
  more: Partial<PassOptions> = {},
  applied: (rows: readonly StoredRow[], checkpoint: Position) => void = () => undefined,
  rows = new Map<string, StoredRow>(),
  from = START,
): Promise<readonly StoredRow[]> {
  const end = new AbortController();
  async function* subscribe(): AsyncGenerator<FeedBatch> {
    for (const events of cut) {
      yield { events, upTo: events.at(-1)!.position };
      if (events.length % 2 === 0) await settle();
    }
    end.abort();
  }
  const getMany = (ids: readonly string[]) => Promise.resolve(ids.map((id) => rows.get(id) ?? null));
  const target = {
    getMany,
    getShared: getMany,
    apply: async (written: readonly StoredRow[], checkpoint: Position) => {
      await settle();
      applied(written, checkpoint);
      for (const row of written) if ((rows.get(row.id)?.position ?? '') < row.position) rows.set(row.id, row);
    },
  };
  const told = { onSkipped: () => undefined, onRefused: () => undefined };
  const options = { writeAt: 0, mostWaiting: 8, batchSize: 2, cachedRows: 3, ...told, ...more };
  const store = { subscribe } as unknown as NotesWorld['ports']['events'];
  await new ProjectionPass(store, projection, target, from, options, end.signal).run();
  return [...rows.values()].sort((left, right) => (left.sortId < right.sortId ? -1 : 1));
}
