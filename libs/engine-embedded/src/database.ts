import { closeSync, openSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';

const IN_MEMORY = ':memory:';

export type Database = DatabaseSyncInstance;

export type Statement = Pick<StatementSyncInstance, 'all' | 'get' | 'run'>;

/** The part of a connection that readers use. */
export interface Reading {
  prepare(sql: string): Statement;
  close(): void;
}

/**
 * A connection whose rows are arrays. It waits `busyMs` for another connection's lock. A file that it makes, and the files
 * that SQLite puts beside it, are accessible to their owner only: the directory may be open to others.
 */
export function connect(file: string, { busyMs, readOnly = false }: { busyMs: number; readOnly?: boolean }): Database {
  if (!readOnly && file !== IN_MEMORY) makeFile(file);
  return new DatabaseSync(file, { timeout: busyMs, readOnly, returnArrays: true });
}

/** A connection to a file that nobody writes, which SQLite puts nothing beside. */
export function connectToImmutable(file: string): Database {
  const url = pathToFileURL(file);
  url.search = '?immutable=1';
  return new DatabaseSync(url, { readOnly: true, returnArrays: true });
}

/** Does not open a file that exists: closing it again would release the locks that this process holds on it. */
function makeFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
