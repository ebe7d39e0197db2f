import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';

export type Database = DatabaseSyncInstance;

export type Statement = StatementSyncInstance;

/** A connection whose rows are arrays. `busyMs` is how long it waits for another connection's lock. */
export function connect(file: string, { busyMs, readOnly = false }: { busyMs: number; readOnly?: boolean }): Database {
  return new DatabaseSync(file, { timeout: busyMs, readOnly, returnArrays: true });
}
