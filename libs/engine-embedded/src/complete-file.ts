import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from './database.js';
import { storeFile } from './writer/store-file.js';

const BUSY_MS = 5_000;

/**
 * Writes the log of a directory into its file, which then has everything, for other programs that read it. Nobody may have the directory
 * open, or open it meanwhile. SQLite's own files stay beside it: a program that reads it may use them.
 */
export function completeFile(directory: string): void {
  const db = connect(storeFile(directory), { busyMs: BUSY_MS });
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  rmSync(join(directory, 'lock.sqlite'), { force: true });
}
