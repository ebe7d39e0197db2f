import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIndexes, createTable, tableOf } from '@engine-embedded/rows/collection-columns';
import { toValues } from '@engine-embedded/rows/to-values';
import type { Database, Statement } from '@engine-embedded/database';
import { RowTable } from '@engine-embedded/rows/row-table';
import { openForReading, openForWriting, storeFile } from '@engine-embedded/writer/store-file';
import type { CollectionSchema, StoredRow } from '@ports/read-models.port';

export const NOTES: CollectionSchema = { name: 'notes', version: 1, filterFields: ['status', 'size'], dueFields: [] };
const TABLE = tableOf('notes', 1);

/** Notes of one project in a file, with a writer that can change them between two reads. */
export class StoredNotes {
  readonly reader: Database;
  private readonly directory = mkdtempSync(join(tmpdir(), 'stored-notes-'));
  private readonly writer: Database;
  private position = 0;

  constructor() {
    const file = storeFile(this.directory);
    this.writer = openForWriting(file);
    this.writer.exec(createTable(NOTES, TABLE));
    for (const sql of createIndexes(NOTES, TABLE)) this.writer.exec(sql);
    this.reader = openForReading(file);
  }

  /** The n-th note of the list, at the next position. */
  rowOf(n: number, row: StoredRow['row']): StoredRow & { readonly text: string } {
    const position = `${++this.position}`.padStart(20, '0');
    const key = { createdAt: n, sortId: `${n}`.padStart(20, '0') };
    return { id: `n${n}`, projectId: 'p', ...key, position, deleted: false, row, text: `"n${n}"` };
  }

  put(row: StoredRow): void {
    for (const values of toValues(NOTES, [row])) new RowTable(this.writer, NOTES, TABLE).put(values);
  }

  /** The reader; `change` runs right after its n-th read of rows. */
  overtakenBehind(reading: number, change: () => void): Database {
    let read = 0;
    const overtaken = (statement: Statement): Pick<Statement, 'all' | 'get' | 'run'> => ({
      all: (...values) => {
        const found = statement.all(...values);
        if (++read === reading) change();
        return found;
      },
      get: (...values) => statement.get(...values),
      run: (...values) => statement.run(...values),
    });
    return { prepare: (sql: string) => overtaken(this.reader.prepare(sql)) } as unknown as Database;
  }

  close(): void {
    this.reader.close();
    this.writer.close();
    rmSync(this.directory, { recursive: true });
  }
}
