import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, connect } from './sqlite.js';

const BUSY = 5;

/** Another living process uses the directory. */
export class DataDirectoryInUse extends Error {
  constructor(readonly directory: string) {
    super(`The data directory ${directory} is in use by another process.`);
    this.name = 'DataDirectoryInUse';
  }
}

/** Holds the directory for this process until it is released or the process ends, however it ends. */
export class DirectoryLock {
  private constructor(private readonly db: Database) {}

  static take(directory: string): DirectoryLock {
    mkdirSync(directory, { recursive: true });
    const db = connect(join(directory, 'lock.sqlite'), { busyMs: 0 });
    try {
      db.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      db.close();
      throw (error as { errcode?: number }).errcode === BUSY ? new DataDirectoryInUse(directory) : error;
    }
    return new DirectoryLock(db);
  }

  release(): void {
    this.db.exec('ROLLBACK');
    this.db.close();
  }
}
