import { join } from 'node:path';
import { EngineInUse, EngineNotOpened } from '@ports/engine.port';
import { type Database, connect } from './database.js';
import { makeDirectory } from './make-directory.js';

const BUSY = 5;

/** In a file that is read-only SQLite begins a transaction without a lock. The write, which is never committed, fails there. */
const KEEPING_OTHERS_OUT = 'PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE; PRAGMA user_version = 1';

/** Keeps the locks reachable: a connection that is collected as garbage gives up its lock. */
const held = new Set<DirectoryLock>();

/** The directory cannot hold a store; the message says why. */
export class DataDirectoryUnusable extends EngineNotOpened {
  constructor(directory: string, cause: unknown) {
    super(`DATA_DIR: the data directory ${directory} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
    this.name = 'DataDirectoryUnusable';
  }
}

/** Another living process uses the directory. */
export class DataDirectoryInUse extends EngineInUse {
  constructor(directory: string) {
    super(`DATA_DIR: the data directory ${directory} is in use by another process`);
    this.name = 'DataDirectoryInUse';
  }
}

/** No service has ever been started on the directory. */
export class DataDirectoryWithoutStore extends EngineNotOpened {
  constructor(directory: string) {
    super(`DATA_DIR: the data directory ${directory} holds no data of a service`);
    this.name = 'DataDirectoryWithoutStore';
  }
}

/** Holds the directory for this process until `release`, or until the process ends, even by a crash. */
export class DirectoryLock {
  private constructor(private readonly db: Database) {}

  static take(directory: string): DirectoryLock {
    const db = openLock(directory);
    try {
      db.exec(KEEPING_OTHERS_OUT);
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
