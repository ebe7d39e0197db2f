import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';

const IN_MEMORY = ':memory:';

export type Database = DatabaseSyncInstance;

export type Statement = StatementSyncInstance;

/**
 * A connection whose rows are arrays. `busyMs` is how long it waits for another connection's lock. A file it makes is its
 * owner's alone, and so are those that SQLite puts beside it: the directory may be open to others.
 */
export function connect(file: string, { busyMs, readOnly = false }: { busyMs: number; readOnly?: boolean }): Database {
  if (!readOnly && file !== IN_MEMORY) makeFile(file);
  return new DatabaseSync(file, { timeout: busyMs, readOnly, returnArrays: true });
}

/** Leaves one that is there alone: closing it again would let go of the locks that this process has on it. */
function makeFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
