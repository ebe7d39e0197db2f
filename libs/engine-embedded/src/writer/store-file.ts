import { join } from 'node:path';
import { type Database, connect } from '../database.js';
import { storeTrouble } from './store-trouble.js';

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS streams (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, retired INTEGER);
  CREATE TABLE IF NOT EXISTS events (
    position INTEGER PRIMARY KEY, stream INTEGER NOT NULL, revision INTEGER NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL,
    metadata TEXT
  );
  CREATE UNIQUE INDEX IF NOT EXISTS events_by_stream ON events (stream, revision);
  CREATE TABLE IF NOT EXISTS collections (
    name TEXT PRIMARY KEY, schema TEXT NOT NULL, generation INTEGER NOT NULL, checkpoint TEXT NOT NULL,
    building INTEGER, building_checkpoint TEXT
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS replaced_rows (collection TEXT PRIMARY KEY, checkpoint TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS leftovers (name TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS expiring_records (
    key TEXT PRIMARY KEY, value TEXT NOT NULL, version TEXT NOT NULL, expires_at INTEGER NOT NULL
  );
  CREATE INDEX IF NOT EXISTS expiring_records_by_expiry ON expiring_records (expires_at);
  CREATE TABLE IF NOT EXISTS topics (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, partitions INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS messages (
    topic INTEGER NOT NULL, partition INTEGER NOT NULL, offset INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY (topic, partition, offset)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS offsets (
    topic INTEGER NOT NULL, partition INTEGER NOT NULL, consumers TEXT NOT NULL, next INTEGER NOT NULL,
    PRIMARY KEY (topic, partition, consumers)
  ) WITHOUT ROWID;
`;

const LAYOUT = 4;

/** For new files. Twice SQLite's default: events and rows of 0.2 to 2 KB fill 4 KiB pages badly, and a commit writes whole pages. */
const PAGE_BYTES = 8_192;

/** A key's newest state is in its highest row; no value means a removal. */
const FROM_RECORD_LOG = `
  INSERT INTO expiring_records (key, value, version, expires_at)
  SELECT log.key, log.value, log.version, log.expires_at
  FROM (SELECT max(row) AS row FROM record_log GROUP BY key) AS newest CROSS JOIN record_log AS log ON log.row = newest.row
  WHERE log.value IS NOT NULL;
  DROP TABLE record_log;
  DELETE FROM meta WHERE name = 'records indexed';
`;

/** Layout 3 had no metadata. Adding the column does not rewrite the table, whatever its size. */
const ADD_METADATA = 'ALTER TABLE events ADD COLUMN metadata TEXT;';

const UPGRADES: readonly string[] = [
  // Layout 1: records in one table, with or without rowids.
  `INSERT INTO expiring_records (key, value, version, expires_at)
   SELECT key, value, version, expires_at FROM records ORDER BY key;
   DROP TABLE records; ${ADD_METADATA}`,
  // Layout 2: a log of record states, with an index of keys.
  `${FROM_RECORD_LOG} DROP TABLE record_index; ${ADD_METADATA}`,
  // Layout 3: the same, with an index in parts.
  `${FROM_RECORD_LOG} DROP TABLE record_places; ${ADD_METADATA}`,
];

export const RESTORE = 'restore a backup with npm run backup -- --restore <folder>';

export function storeFile(directory: string): string {
  return join(directory, 'store.sqlite');
}

/** The only writing connection. A commit returns once synced. Only `StoreWriter.checkpoint` checkpoints the log. */
export function openForWriting(file: string): Database {
  const db = connect(file, { busyMs: 5000 });
  try {
    prepareForWriting(db, file);
  } catch (error) {
    // SQLite keeps the lock of a transaction left open at close.
    if (db.isTransaction) db.exec('ROLLBACK');
    db.close();
    if (storeTrouble(error) !== 'damaged') throw error;
    throw new Error(`${file} cannot be read (${(error as Error).message}): ${RESTORE}`, { cause: error });
  }
  return db;
}

function prepareForWriting(db: Database, file: string): void {
  db.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
  db.exec('PRAGMA journal_mode = WAL');
  db.exec('PRAGMA synchronous = FULL');
  db.exec('PRAGMA wal_autocheckpoint = 0');
  db.exec('PRAGMA journal_size_limit = 67108864');
  db.exec('PRAGMA cache_size = -8192');
  db.exec('PRAGMA foreign_keys = OFF');
  const [layout] = db.prepare('PRAGMA user_version').get() as unknown as [number];
  if (layout > LAYOUT) throw new Error(`${file} was written by a newer version (layout ${layout}, known is ${LAYOUT})`);
  const upgrade = layout > 0 ? UPGRADES[layout - 1] : undefined;
  db.exec(`BEGIN IMMEDIATE; ${SCHEMA} ${upgrade ?? ''} PRAGMA user_version = ${LAYOUT}; COMMIT`);
}

/** Reads what is committed and synced. Keeps SQLite's small page cache: every commit empties it, and a larger one takes longer. */
export function openForReading(file: string): Database {
  return connect(file, { busyMs: 5000, readOnly: true });
}
