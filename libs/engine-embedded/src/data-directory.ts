import { join } from 'node:path';
import { EngineInUse, EngineNotOpened } from '@ports/engine.port';
import { type Database, connect } from './database.js';
import { makeDirectory } from './make-directory.js';

const BUSY = 5;

/** On a read-only file SQLite begins a transaction without a lock; the write, never committed, fails there. */
const TAKE_EXCLUSIVE_LOCK = 'PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE; PRAGMA user_version = 1';

/** Keeps locks reachable: a garbage-collected connection releases its lock. */
const held = new Set<DirectoryLock>();

export class DataDirectoryUnusable extends EngineNotOpened {
  constructor(directory: string, cause: unknown) {
    super(`DATA_DIR: the data directory ${directory} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.name = 'DataDirectoryUnusable';
  }
}

export class DataDirectoryInUse extends EngineInUse {
  constructor(directory: string) {
    super(`DATA_DIR: the data directory ${directory} is in use by another process`);
    this.name = 'DataDirectoryInUse';
  }
}

export class DataDirectoryWithoutStore extends EngineNotOpened {
  constructor(directory: string) {
    super(`DATA_DIR: the data directory ${directory} holds no data of a service`);
    this.name = 'DataDirectoryWithoutStore';
  }
}

/** Locks the directory until `release` or the end of the process, even by a crash. */
export class DirectoryLock {
  private constructor(private readonly db: Database) {}

  static take(directory: string): DirectoryLock {
    const db = openLock(directory);
    try {
      db.exec(TAKE_EXCLUSIVE_LOCK);
    } catch (error) {
      db.close();
      if ((error as { errcode?: number }).errcode === BUSY) throw new DataDirectoryInUse(directory);
      throw new DataDirectoryUnusable(directory, error);
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

function openLock(directory: string): Database {
  try {
    makeDirectory(directory);
    return connect(join(directory, 'lock.sqlite'), { busyMs: 0 });
  } catch (error) {
    throw new DataDirectoryUnusable(directory, error);
  }
}
