import { closeSync, openSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';

const IN_MEMORY = ':memory:';

export type Database = DatabaseSyncInstance;

export type Statement = Pick<StatementSyncInstance, 'all' | 'get' | 'run'>;

export interface Reading {
  prepare(sql: string): Statement;
  close(): void;
}

/** A connection whose rows are arrays; waits `busyMs` for a lock. Its files, SQLite's own included, are accessible to their owner only. */
export function connect(file: string, { busyMs, readOnly = false }: { busyMs: number; readOnly?: boolean }): Database {
  if (!readOnly && file !== IN_MEMORY) makeFile(file);
  return new DatabaseSync(file, { timeout: busyMs, readOnly, returnArrays: true });
}

/** A connection to a file without writers, beside which SQLite creates no files. */
export function connectToImmutable(file: string): Database {
  const url = pathToFileURL(file);
  url.search = '?immutable=1';
  return new DatabaseSync(url, { readOnly: true, returnArrays: true });
}

/** Never opens an existing file: closing it would release this process's locks on it. */
function makeFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
