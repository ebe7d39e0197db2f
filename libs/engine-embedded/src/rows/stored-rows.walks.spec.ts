import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Filter, ListQuery, StoredRow } from '@ports/read-models.port';
import { FakeClock } from '@testing/fake-clock';
import { NOTES, StoredNotes } from '@testing/stored-notes';
import { openEmbeddedEngine } from '../open-embedded-engine.js';
import { StoredRows } from './stored-rows.js';

/** Two fields, so that no index covers all. */
const LARGE_OPEN_ONES: Filter = [
  [
    { field: 'status', op: 'gte', value: 'a' },
    { field: 'size', op: 'gt', value: 0 },
  ],
];
const QUERY = { projectId: 'p', filter: LARGE_OPEN_ONES, order: 'asc', limit: 5 } as const;

let notes: StoredNotes;
beforeEach(() => void (notes = new StoredNotes()));
afterEach(() => notes.close());

const place = (n: number): string => `${n}`.padStart(20, '0');
const put = (n: number, status: string, size: number): void => notes.put(notes.rowOf(n, { status, size }));
async function idsOf(rows: StoredRows, query: ListQuery): Promise<string[]> {
  const page = rows.page(query);
  expect(page).toBeInstanceOf(Function);
  return (await (page as () => Promise<StoredRow[]>)()).map(({ id }) => id);
}
const ids = (...numbers: readonly number[]) => numbers.map((n) => `n${n}`);
/** Three rows at a time: along the places of an index, or along all rows. */
const ways = [
  ['gathered', 5_000],
  ['walked', 0],
] as const;
const inThrees = (tooManyToSort: number, reader = notes.reader) =>
  new StoredRows(reader, NOTES, 1, { first: 3, longest: 2 }, tooManyToSort);

describe.each(ways)('a page that is %s', (_how, tooManyToSort) => {
  it.each(['asc', 'desc'] as const)('is in the order of the list, not of an index (%s)', async (order) => {
    for (let n = 0; n < 20; n++) put(n, n % 4 === 0 ? 'open' : 'lost', 100 - n);
    const all = ids(...Array.from({ length: 20 }, (_, n) => n));
    if (order === 'desc') all.reverse();
    expect(await idsOf(inThrees(tooManyToSort), { ...QUERY, order, limit: 50 })).toEqual(all);
    expect(await idsOf(inThrees(tooManyToSort), { ...QUERY, order })).toEqual(all.slice(0, 5));
  });

  it('has no more than its limit, whatever a stretch holds', async () => {
    for (let n = 0; n < 20; n++) put(n, 'open', n);
    for (const limit of [1, 2, 3, 4, 5, 7]) {
      expect(await idsOf(inThrees(tooManyToSort), { ...QUERY, limit })).toHaveLength(limit);
    }
  });

  it('tells with itself a row whose text no longer holds', async () => {
    for (let n = 1; n < 10; n++) put(n, n === 4 ? 'outdated' : 'open', n);
    const outdated = { field: 'status', op: 'eq', value: 'outdated' } as const;
    const list = inThrees(tooManyToSort).list({ ...QUERY, outdated }) as () => Promise<{ text: string | null }[]>;
    expect((await list()).map(({ text }) => text)).toEqual(['"n1"', '"n2"', '"n3"', null, '"n5"']);
  });

  it('shows a row once that is deleted meanwhile, where the deleted are asked for too', async () => {
    for (let n = 1; n < 9; n++) put(n, 'open', n);
    notes.put({ ...notes.rowOf(9, { status: 'open', size: 9 }), deleted: true });
    for (const at of [1, 2, 3, 4]) {
      const overtaken = notes.overtakenBehind(at, () =>
        notes.put({ ...notes.rowOf(7, { status: 'open', size: 7 }), deleted: true }),
      );
      const rows = inThrees(tooManyToSort, overtaken);
      expect(await idsOf(rows, { ...QUERY, limit: 20, includeDeleted: true })).toEqual(ids(1, 2, 3, 4, 5, 6, 7, 8, 9));
      put(7, 'open', 7);
    }
  });
});

it.each([
  ['done', 'open'],
  ['open', 'done'],
])('a gathered page shows a row once that goes from %s to %s, both of which are asked for', async (before, after) => {
  for (const number of [1, 2, 3]) put(number, before, 5);
  for (let number = 10; number < 40; number++) put(number, 'lost', 5);
  const overtaken = notes.overtakenBehind(1, () => put(2, after, 5));
  const rows = new StoredRows(overtaken, NOTES, 1, { first: 100, longest: 2 });
  const filter: Filter = [
    [
      { field: 'status', op: 'in', value: ['open', 'done'] },
      { field: 'size', op: 'gt', value: 1 },
    ],
  ];
  expect(await idsOf(rows, { ...QUERY, filter, limit: 20 })).toEqual(ids(1, 2, 3));
});

it('a long walk waits for none of another project', async () => {
  const other = mkdtempSync(join(tmpdir(), 'projects-'));
  const ports = await openEmbeddedEngine(other, new FakeClock());
  const { readModels } = ports;
  await readModels.define(NOTES);
  for (const projectId of ['p', 'q']) {
    const rows = Array.from({ length: 5_000 }, (_, n) => ({
      id: `${projectId}${n}`,
      projectId,
      createdAt: n,
      sortId: place(n),
      position: place(1),
      deleted: false,
      row: { status: 'open', size: 1 },
    }));
    await readModels.apply('notes', rows, place(projectId === 'p' ? 1 : 2));
  }
  const walked: string[] = [];
  const list = async (projectId: string) => {
    await readModels.list('notes', { ...QUERY, projectId });
    walked.push(projectId);
  };
  const crowd = Array.from({ length: 100 }, () => list('p'));
  await list('q');
  await Promise.all(crowd);
  expect(walked.indexOf('q')).toBeLessThan(5);
  await ports.engine.close();
  rmSync(other, { recursive: true });
});
