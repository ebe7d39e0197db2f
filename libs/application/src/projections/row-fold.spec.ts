import type { DomainEvent } from '@domain/kernel/decider';
import type { Recorded } from '@ports/event-store.port';
import type { StoredRow } from '@ports/read-models.port';
import type { Projection } from './projection.js';
import { RowFold } from './row-fold.js';

interface Counted {
  readonly times: number;
}

/** Counts the events of each stream. */
const counting = {
  schema: { name: 'counts', version: 1, filterFields: [], dueFields: [] },
  idKind: 'conversation',
  categories: ['note'],
  rowId: ({ stream }) => stream,
  begins: ({ stream }) => stream.startsWith('new'),
  project: (before, { event }) => ({
    projectId: 'prj_1',
    createdAt: event.at,
    deleted: false,
    row: { times: (before?.row.times ?? 0) + 1 },
  }),
} satisfies Projection<DomainEvent, Counted> as unknown as Projection<DomainEvent>;

let last = 0;
function noted(stream: string): Recorded {
  const position = String(++last).padStart(20, '0');
  return { id: position, stream, revision: 0, position, event: { type: 'Noted', at: last } };
}

describe('the rows of a projection', () => {
  it('are not begun anew when they are written and forgotten while others are read', async () => {
    const stored = new Map<string, StoredRow>();
    const reading: (() => void)[] = [];
    const load = async (ids: readonly string[]) => {
      await new Promise<void>((resolve) => reading.push(resolve));
      return ids.map((id) => stored.get(id) ?? null);
    };
    const write = (fold: RowFold) => {
      for (const { rows } of fold.leave(1)) for (const row of rows) stored.set(row.id, row);
      fold.confirm();
    };
    const fold = new RowFold(counting, load, { remembered: 1, onPoison: () => undefined });
    const taking = async (...streams: readonly string[]) => {
      const taken = fold.take(streams.map(noted));
      reading.splice(0).forEach((resolve) => resolve());
      await taken;
    };
    await taking('a', 'b');
    const more = fold.take(['a', 'c'].map(noted));
    write(fold);
    reading.splice(0).forEach((resolve) => resolve());
    await more;
    write(fold);
    expect([...stored.values()].map(({ id, row }) => [id, (row as unknown as Counted).times])).toEqual([
      ['a', 2],
      ['b', 1],
      ['c', 1],
    ]);
  });

  it('are looked for unless they begin', async () => {
    const asked: string[] = [];
    const load = async (ids: readonly string[]) => ids.map((id) => (asked.push(id), null));
    const fold = new RowFold(counting, load, { remembered: 10, onPoison: () => undefined });
    await fold.take(['new', 'old', 'new', 'old'].map(noted));
    expect(asked).toEqual(['old']);
    const [part] = [...fold.leave(10)];
    expect(part?.rows.map(({ id, row }) => [id, (row as unknown as Counted).times])).toEqual([
      ['new', 2],
      ['old', 2],
    ]);
  });

  it.each([
    [0, [0]],
    [1, [1]],
    [2, [2]],
    [3, [2, 1]],
    [4, [2, 2]],
  ])('leave in parts: %i of them, two at a time, as %j', async (count, sizes) => {
    const fold = new RowFold(counting, () => Promise.resolve([]), { remembered: 10, onPoison: () => undefined });
    const streams = Array.from({ length: count }, (_, index) => `new ${index}`);
    await fold.take(streams.map(noted));
    const parts = [...fold.leave(2)];
    expect(parts.map(({ rows }) => rows.length)).toEqual(sizes);
    expect(parts.map(({ isLast }) => isLast)).toEqual(sizes.map((_, index) => index === sizes.length - 1));
    expect(parts.flatMap(({ rows }) => rows.map(({ id }) => id))).toEqual(streams);
  });
});
