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

let position = 0;
it.each([
  ['done', 'open'],
  ['open', 'done'],
])('a gathered page shows a row once that goes from %s to %s, both of which are asked for', async (before, after) => {
  const directory = mkdtempSync(join(tmpdir(), 'a3-gathered-'));
  const writer = openForWriting(storeFile(directory));
  writer.exec(createTable(NOTES, TABLE));
  for (const sql of createIndexes(NOTES, TABLE)) writer.exec(sql);
  const reader = openForReading(storeFile(directory));
  const put = (number: number, status: string): void => {
    const sortId = `${number}`.padStart(20, '0');
    const row: StoredRow = {
      id: `n${number}`,
      projectId: 'p',
      createdAt: number,
      sortId,
      position: String(++position).padStart(20, '0'),
      deleted: false,
      row: { status, size: 5 },
    };
    for (const values of toValues(NOTES, [row])) new RowTable(writer, NOTES, TABLE).put(values);
  };
  for (const number of [1, 2, 3]) put(number, before);
  for (let number = 10; number < 40; number++) put(number, 'lost');
  let isOvertaken = false;
  const overtaken = (statement: Statement): Pick<Statement, 'all' | 'get' | 'run'> => ({
    all: (...values) => {
      const found = statement.all(...values);
      if (!isOvertaken) put(2, after);
      isOvertaken = true;
      return found;
    },
    get: (...values) => statement.get(...values),
    run: (...values) => statement.run(...values),
  });
  const prepare = (sql: string) => overtaken(reader.prepare(sql));
  const rows = new StoredRows({ prepare } as unknown as Database, NOTES, 1, { first: 100, longest: 2 });
  const filter: Filter = [
    [
      { field: 'status', op: 'in', value: ['open', 'done'] },
      { field: 'size', op: 'gt', value: 1 },
    ],
  ];
  const page = rows.page({ projectId: 'p', filter, order: 'asc', limit: 20 });
  expect(page).toBeInstanceOf(Function);
  const found = await (page as () => Promise<StoredRow[]>)();
  expect(found.map(({ id }) => id)).toEqual(['n1', 'n2', 'n3']);
  reader.close();
  writer.close();
  rmSync(directory, { recursive: true });
});
