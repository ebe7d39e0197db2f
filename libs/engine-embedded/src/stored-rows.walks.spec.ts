import type { CollectionSchema, Filter, ListQuery, StoredRow } from '@ports/read-models.port';
import { FakeClock } from '@testing/fake-clock';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIndexes, createTable, tableOf } from './collection-table.js';
import { openEmbeddedEngine } from './open-embedded-engine.js';
import { toValues } from './row-values.js';
import type { Database, Statement } from './sqlite.js';
import { StoredRows } from './stored-rows.js';
import { RowTable } from './writer/row-table.js';
import { openForReading, openForWriting, storeFile } from './writer/store-file.js';

const NOTES: CollectionSchema = { name: 'notes', version: 1, filterFields: ['status', 'size'], dueFields: [] };
const TABLE = tableOf('notes', 1);
/** Both fields are asked for, so that one index does not tell all. */
const LARGE_OPEN_ONES: Filter = [
  [
    { field: 'status', op: 'gte', value: 'a' },
    { field: 'size', op: 'gt', value: 0 },
  ],
];
const QUERY = { projectId: 'p', filter: LARGE_OPEN_ONES, order: 'asc', limit: 5 } as const;

let directory: string;
let writer: Database;
let reader: Database;
let position: number;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'gathered-'));
  writer = openForWriting(storeFile(directory));
  writer.exec(createTable(NOTES, TABLE));
  for (const sql of createIndexes(NOTES, TABLE)) writer.exec(sql);
  reader = openForReading(storeFile(directory));
  position = 0;
});
afterEach(() => {
  reader.close();
  writer.close();
  rmSync(directory, { recursive: true });
});

const place = (n: number): string => `${n}`.padStart(20, '0');
function put(n: number, status: string, size: number, deleted = false): void {
  const row: StoredRow = {
    ...{ id: `n${n}`, projectId: 'p', createdAt: n, sortId: place(n), position: place(++position), deleted },
    ...{ row: { status, size }, text: `"n${n} ${status}"` },
  };
  for (const values of toValues(NOTES, [row])) new RowTable(writer, NOTES, TABLE).put(values);
}
async function idsOf(rows: StoredRows, query: ListQuery): Promise<string[]> {
  const page = rows.page(query);
  expect(page).toBeInstanceOf(Function);
  return (await (page as () => Promise<StoredRow[]>)()).map(({ id }) => id);
}
/** The store, in which something happens right behind the reading of rows that is the given one. */
function behindItsRead(which: number, change: () => void): Database {
  let read = 0;
  const overtaken = (statement: Statement): Pick<Statement, 'all' | 'get' | 'run'> => ({
    all: (...values) => {
      const found = statement.all(...values);
      if (++read === which) change();
      return found;
    },
    get: (...values) => statement.get(...values),
    run: (...values) => statement.run(...values),
  });
  return { prepare: (sql: string) => overtaken(reader.prepare(sql)) } as unknown as Database;
}
const ids = (...numbers: readonly number[]) => numbers.map((n) => `n${n}`);
/** How rows are looked for in threes: past the places that an index gives, or past all. */
const ways = [
  ['gathered', 5_000],
  ['walked', 0],
] as const;
const inThrees = (tooManyToSort: number, db: Database = reader) =>
  new StoredRows(db, NOTES, 1, { first: 3, longest: 2 }, tooManyToSort);

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
    expect((await list()).map(({ text }) => text)).toEqual(['"n1 open"', '"n2 open"', '"n3 open"', null, '"n5 open"']);
  });

  it('shows a row once that is deleted meanwhile, where the deleted are asked for too', async () => {
    for (let n = 1; n < 9; n++) put(n, 'open', n);
    put(9, 'open', 9, true);
    for (const at of [1, 2, 3, 4]) {
      const overtaken = behindItsRead(at, () => put(7, 'open', 7, true));
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
  const overtaken = behindItsRead(1, () => put(2, after, 5));
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
      ...{ id: `${projectId}${n}`, projectId, createdAt: n, sortId: place(n), position: place(1) },
      ...{ deleted: false, row: { status: 'open', size: 1 } },
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
