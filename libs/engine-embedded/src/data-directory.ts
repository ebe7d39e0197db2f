import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Database, connect } from './sqlite.js';

const BUSY = 5;

/** A lock whose connection is collected as garbage is gone. */
const held = new Set<DirectoryLock>();

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
    makeDirectory(directory);
    const db = connect(join(directory, 'lock.sqlite'), { busyMs: 0 });
    try {
      db.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      db.close();
      throw (error as { errcode?: number }).errcode === BUSY ? new DataDirectoryInUse(directory) : error;
    }
    const lock = new DirectoryLock(db);
    held.add(lock);
    return lock;
  }

  release(): void {
    held.delete(this);
    this.db.exec('ROLLBACK');
    this.db.close();
  }
}

/** A new directory is only there after a power cut when the one above was synced. */
function makeDirectory(directory: string): void {
  const first = mkdirSync(directory, { recursive: true });
  if (first === undefined || process.platform === 'win32') return;
  const above = openSync(dirname(first), 'r');
  fsyncSync(above);
  closeSync(above);
}
