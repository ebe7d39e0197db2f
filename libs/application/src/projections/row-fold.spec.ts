import type { DomainEvent } from '@domain/kernel/decider';
import type { Recorded } from '@ports/event-store.port';
import type { StoredRow } from '@ports/read-models.port';
import type { Projection } from '../read-models/projection.js';
import { RowFold, type RowFoldOptions } from './row-fold.js';

interface Counted {
  readonly times: number;
}

/** Counts the events of each stream. */
const counting = {
  schema: { name: 'counts', version: 1, filterFields: [], dueFields: [] },
  columns: { times: { type: 'integer', meaning: 'How many events there were.' } },
  idKind: 'conversation',
  categories: ['note'],
  rowIds: ({ stream }) => [stream],
  begins: ({ stream }) => stream.startsWith('new'),
  project: (before, { event }) => ({
    projectId: 'prj_1',
    createdAt: event.at,
    deleted: false,
    row: { times: (before?.row.times ?? 0) + 1 },
  }),
} satisfies Projection<DomainEvent, Counted> as unknown as Projection<DomainEvent>;

type Load = (ids: readonly string[]) => Promise<readonly (StoredRow | null)[]>;

function foldOver(projection: typeof counting, load: Load, options: RowFoldOptions, getShared = load): RowFold {
  return new RowFold(projection, { getMany: load, getShared }, options);
}

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
      for (const { rows } of fold.nextBatches(1)) for (const row of rows) stored.set(row.id, row);
      fold.markWritten();
    };
    const fold = foldOver(counting, load, { cachedRows: 1, onSkipped: () => undefined });
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
    const fold = foldOver(counting, load, { cachedRows: 10, onSkipped: () => undefined });
    await fold.take(['new', 'old', 'new', 'old'].map(noted));
    expect(asked).toEqual(['old']);
    const [part] = [...fold.nextBatches(10)];
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
    const fold = foldOver(counting, () => Promise.resolve([]), { cachedRows: 10, onSkipped: () => undefined });
    const streams = Array.from({ length: count }, (_, index) => `new ${index}`);
    await fold.take(streams.map(noted));
    const parts = [...fold.nextBatches(2)];
    expect(parts.map(({ rows }) => rows.length)).toEqual(sizes);
    expect(parts.map(({ isLast }) => isLast)).toEqual(sizes.map((_, index) => index === sizes.length - 1));
    expect(parts.flatMap(({ rows }) => rows.map(({ id }) => id))).toEqual(streams);
  });

  it('keep the time and the place of their first event, be it known or stored', async () => {
    const stored: StoredRow[] = [];
    const load = (ids: readonly string[]) => Promise.resolve(ids.map((id) => stored.find((row) => row.id === id) ?? null));
    const fold = foldOver(counting, load, { cachedRows: 1, onSkipped: () => undefined });
    const forgetAll = async () => {
      await fold.take([noted('another')]);
      for (const { isLast } of fold.nextBatches(1)) if (isLast) fold.markWritten();
    };
    const first = noted('row');
    for (const records of [[first, noted('row')], [noted('row')]]) {
      await fold.take(records);
      for (const { rows } of fold.nextBatches(1)) stored.splice(0, 1, ...rows);
      fold.markWritten();
      const { createdAt, sortId, position } = stored[0]!;
      expect([createdAt, sortId, position]).toEqual([first.event.at, first.position, records.at(-1)?.position]);
      await forgetAll();
    }
  });

  it.each(['rowIds', 'project'] as const)('go on without an event that breaks %s, which is told', async (broken) => {
    const projection: typeof counting = {
      ...counting,
      [broken]: (...args: readonly unknown[]) => {
        if (args.some((arg) => (arg as Recorded | null)?.stream === 'new poison')) throw new Error('poison');
        return (counting[broken] as (...given: readonly unknown[]) => unknown)(...args);
      },
    };
    const told: string[] = [];
    const onSkipped: RowFoldOptions['onSkipped'] = (skips) => void told.push(...skips.map(({ record }) => record.stream));
    const fold = foldOver(projection, () => Promise.resolve([]), { cachedRows: 10, onSkipped });
    await fold.take(['new a', 'new poison', 'new b'].map(noted));
    expect([...fold.nextBatches(10)].flatMap(({ rows }) => rows.map(({ id }) => id))).toEqual(['new a', 'new b']);
    expect(told).toEqual(['new poison']);
  });

  it('leave without a text that cannot be rendered, and hold up no other', async () => {
    const project: typeof counting.project = (before, record, id) => {
      const text = () => (record.stream === 'new a' ? (JSON.parse('{') as string) : 'b');
      return { ...counting.project(before, record, id)!, text };
    };
    const options = { cachedRows: 10, onSkipped: () => undefined };
    const fold = foldOver({ ...counting, project }, () => Promise.resolve([]), options);
    await fold.take(['new a', 'new b'].map(noted));
    expect([...fold.nextBatches(10)].flatMap(({ rows }) => rows.map(({ text }) => text))).toEqual([undefined, 'b']);
  });

  it('keep the text that they were stored with when an event says nothing of it', async () => {
    const stored = { id: 'row', projectId: 'prj_1', createdAt: 1, sortId: '0', position: '0', deleted: false, row: { times: 1 } };
    const project: typeof counting.project = (before) => before;
    const load = () => Promise.resolve([{ ...stored, text: '{"kept":true}' }]);
    const fold = foldOver({ ...counting, project }, load, { cachedRows: 10, onSkipped: () => undefined });
    await fold.take([noted('row')]);
    expect([...fold.nextBatches(10)].flatMap(({ rows }) => rows.map(({ text }) => text))).toEqual(['{"kept":true}']);
  });
});
