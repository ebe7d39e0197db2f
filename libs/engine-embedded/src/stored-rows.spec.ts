import { turnsDuring } from '@testing/event-loop';
import fc from 'fast-check';
import type { CollectionSchema, Filter, StoredRow } from '@ports/read-models.port';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIndexes, createTable, tableOf } from './collection-table.js';
import { toValues } from './row-values.js';
import type { Database, Statement } from './sqlite.js';
import { StoredRows } from './stored-rows.js';
import { RowTable } from './writer/row-table.js';
import { openForReading, openForWriting, storeFile } from './writer/store-file.js';

const NOTES: CollectionSchema = { name: 'notes', version: 1, filterFields: ['status', 'size'], dueFields: [] };
const TABLE = tableOf('notes', 1);
const IN_EITHER_STATUS: Filter = [[{ field: 'status', op: 'in', value: ['open', 'done'] }]];

type TextRow = { readonly text?: string | null };
const found = async <Item>(page: readonly Item[] | (() => Promise<readonly Item[]>)) =>
  typeof page === 'function' ? page() : page;

describe('a page while the writer goes on', () => {
  let directory: string;
  let writer: Database;
  let reader: Database;
  let position: number;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'stored-rows-'));
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

  function write(number: number, status: string): void {
    const sortId = `${number}`.padStart(20, '0');
    const at = `${++position}`.padStart(20, '0');
    const row: StoredRow = {
      ...{ id: `n${number}`, projectId: 'p', createdAt: number, sortId, position: at, deleted: false, row: { status } },
      text: `{"id":"n${number}"}`,
    };
    for (const values of toValues(NOTES, [row])) new RowTable(writer, NOTES, TABLE).put(values);
  }

  /** Rows of a reader whom the writer overtakes once, after the first range that was read. */
  function overtakenBy(change: () => void): StoredRows {
    let due: (() => void) | null = change;
    const overtaken = (statement: Statement): Pick<Statement, 'all' | 'get' | 'run'> => ({
      all: (...values) => {
        const found = statement.all(...values);
        due?.();
        due = null;
        return found;
      },
      get: (...values) => statement.get(...values),
      run: (...values) => statement.run(...values),
    });
    const prepare = (sql: string) => overtaken(reader.prepare(sql));
    return new StoredRows({ prepare } as unknown as Database, NOTES, 1);
  }

  const QUERY = { projectId: 'p', filter: IN_EITHER_STATUS, order: 'asc', limit: 20 } as const;

  it.each([
    ['done', 'open'],
    ['open', 'done'],
  ])('shows a row once that goes from %s to %s, both of which are asked for', async (before, after) => {
    for (const number of [1, 2, 3]) write(number, before);
    const rows = overtakenBy(() => write(2, after));
    expect((await found(rows.page(QUERY))).map(({ id }) => id)).toEqual(['n1', 'n2', 'n3']);
    const lists = overtakenBy(() => write(2, before));
    expect((await found(lists.list(QUERY))).map(({ text }) => text)).toEqual(['{"id":"n1"}', '{"id":"n2"}', '{"id":"n3"}']);
  });

  it('sees with the next page what was written during the one before', async () => {
    write(1, 'open');
    const rows = overtakenBy(() => write(2, 'done'));
    expect((await found(rows.page(QUERY))).map(({ id }) => id)).toEqual(['n1']);
    expect((await found(rows.page(QUERY))).map(({ id }) => id)).toEqual(['n1', 'n2']);
  });

  describe('that any number of rows may have to be passed for', () => {
    const word = fc.constantFrom('open', 'done', 'lost');
    const conditions = fc.record({
      statuses: fc.array(fc.uniqueArray(word, { minLength: 1 }), { minLength: 1, maxLength: 2 }),
      from: fc.integer({ min: 0, max: 12 }),
      before: fc.integer({ min: 4, max: 20 }),
      created: fc.option(fc.integer({ min: 0, max: 16 }), { nil: undefined }),
    });
    const walks = fc.record({
      notes: fc.array(fc.record({ status: word, size: fc.integer({ min: 0, max: 16 }), deleted: fc.boolean() }), {
        maxLength: 20,
      }),
      ...{ conditions, order: fc.constantFrom('asc' as const, 'desc' as const), limit: fc.integer({ min: 1, max: 7 }) },
      ...{ after: fc.option(fc.integer({ min: 0, max: 8 }), { nil: undefined }), includeDeleted: fc.boolean() },
    });
    type Walked = typeof walks extends fc.Arbitrary<infer One> ? One : never;
    const keyOf = (n: number) => ({ createdAt: Math.floor(n / 2), sortId: `${n}`.padStart(20, '0') });
    let project = 0;

    function query(
      { conditions: { statuses, from, before, created }, order, limit, after, includeDeleted }: Walked,
      projectId: string,
    ) {
      const filter: Filter = statuses.map((value) => [
        { field: 'status', op: 'in', value },
        ...[{ field: 'size', op: 'gte', value: from } as const, { field: 'size', op: 'lt', value: before } as const],
        ...(created === undefined ? [] : [{ field: 'createdAt', op: 'lte', value: created } as const]),
      ]);
      return { projectId, filter, order, limit, includeDeleted, ...(after === undefined ? {} : { after: keyOf(after) }) };
    }

    function expected({
      notes,
      conditions: { statuses, from, before, created = 99 },
      order,
      limit,
      after,
      includeDeleted,
    }: Walked) {
      const sign = order === 'asc' ? 1 : -1;
      const found = notes
        .map((note, n) => ({ ...note, n }))
        .filter(
          ({ status, size, deleted, n }) =>
            statuses.flat().includes(status) &&
            size >= from &&
            size < before &&
            (includeDeleted || !deleted) &&
            keyOf(n).createdAt <= created &&
            (after === undefined || sign * (n - after) > 0),
        );
      return found
        .toSorted((one, other) => sign * (one.n - other.n))
        .slice(0, limit)
        .map(({ n }) => `n${n}`);
    }

    it.each([
      { first: 1, longest: 1 },
      { first: 1, longest: 5 },
      { first: 100, longest: 1_000 },
    ])('is what the filter says, in order, in stretches of %j', async (stretches) => {
      const rows = new StoredRows(reader, NOTES, 1, stretches, 0);
      await fc.assert(
        fc.asyncProperty(walks, async (walked) => {
          const projectId = `p${++project}`;
          for (const [n, { status, size, deleted }] of walked.notes.entries()) {
            const row: StoredRow = {
              ...{ id: `${projectId}-n${n}`, projectId, ...keyOf(n) },
              position: '1',
              deleted,
              row: { status, size },
            };
            for (const values of toValues(NOTES, [{ ...row, text: `"n${n}"` }])) new RowTable(writer, NOTES, TABLE).put(values);
          }
          const pages = [
            await found<TextRow>(rows.page(query(walked, projectId))),
            await found<TextRow>(rows.list(query(walked, projectId))),
          ];
          for (const page of pages) expect(page.map(({ text }) => text)).toEqual(expected(walked).map((id) => `"${id}"`));
        }),
        { numRuns: 150 },
      );
    });

    it('lets others have their turn', async () => {
      for (let n = 0; n < 50; n++) write(n, 'open');
      const rows = new StoredRows(reader, NOTES, 1, { first: 5, longest: 5 }, 0);
      const turns = turnsDuring(found(rows.page({ ...QUERY, filter: [[{ field: 'status', op: 'prefix', value: 'lost' }]] })));
      expect(await turns).toBeGreaterThanOrEqual(9);
    });
  });
});
