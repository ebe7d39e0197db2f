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

const NOTES: CollectionSchema = { name: 'notes', version: 1, filterFields: ['status'], dueFields: [] };
const TABLE = tableOf('notes', 1);
const IN_EITHER_STATUS: Filter = [[{ field: 'status', op: 'in', value: ['open', 'done'] }]];

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
  ])('shows a row once that goes from %s to %s, both of which are asked for', (before, after) => {
    for (const number of [1, 2, 3]) write(number, before);
    const rows = overtakenBy(() => write(2, after));
    expect(rows.page(QUERY).map(({ id }) => id)).toEqual(['n1', 'n2', 'n3']);
    const lists = overtakenBy(() => write(2, before));
    expect(lists.list(QUERY).map(({ text }) => text)).toEqual(['{"id":"n1"}', '{"id":"n2"}', '{"id":"n3"}']);
  });

  it('sees with the next page what was written during the one before', () => {
    write(1, 'open');
    const rows = overtakenBy(() => write(2, 'done'));
    expect(rows.page(QUERY).map(({ id }) => id)).toEqual(['n1']);
    expect(rows.page(QUERY).map(({ id }) => id)).toEqual(['n1', 'n2']);
  });
});
