import fc from 'fast-check';
import type { ExpiringRecord } from '@ports/expiring-records.port';
import { FakeClock, settle } from '@testing/fake-clock';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, connect } from '../database.js';
import { type EmbeddedPorts, openEmbeddedEngine } from '../open-embedded-engine.js';
import { storeFile } from './store-file.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

type State = readonly [key: string, record: ExpiringRecord | null];

interface Layout {
  readonly version: number;
  readonly tables: string;
  /** Writes the states in order. The index of a log covers the first `known`. */
  write(db: Database, states: readonly State[], known: number): void;
}

const inOneTable = (key: string, how: string): Layout => ({
  version: 1,
  tables: `CREATE TABLE records (${key}, value TEXT NOT NULL, version TEXT NOT NULL, expires_at INTEGER NOT NULL) ${how};
    CREATE INDEX records_by_expiry ON records (expires_at);`,
  write(db, states) {
    const drop = db.prepare('DELETE FROM records WHERE key = ?');
    const put = db.prepare('INSERT INTO records (key, value, version, expires_at) VALUES (?, ?, ?, ?)');
    for (const [key, record] of states) {
      drop.run(key);
      if (record) put.run(key, record.value, record.version, record.expiresAt);
    }
  },
});

const EVENTS = `CREATE TABLE events (
  position INTEGER PRIMARY KEY, stream INTEGER NOT NULL, revision INTEGER NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL
)`;

const asLog = (version: number, index: string, enter: string): Layout => ({
  version,
  tables: `CREATE TABLE record_log (
      row INTEGER PRIMARY KEY, key TEXT NOT NULL, value TEXT, version TEXT NOT NULL, expires_at INTEGER NOT NULL
    );
    CREATE INDEX record_log_by_expiry ON record_log (expires_at); ${index};`,
  write(db, states, known) {
    const put = db.prepare('INSERT INTO record_log (key, value, version, expires_at) VALUES (?, ?, ?, ?)');
    for (const [key, record] of states.slice(0, known)) put.run(key, ...columnsOf(record));
    // Indexing a key drops its older states.
    db.exec('DELETE FROM record_log WHERE row NOT IN (SELECT max(row) FROM record_log GROUP BY key)');
    db.exec(`${enter}; INSERT INTO meta (name, value) SELECT 'records indexed', coalesce(max(row), 0) FROM record_log`);
    for (const [key, record] of states.slice(known)) put.run(key, ...columnsOf(record));
  },
});

function columnsOf(record: ExpiringRecord | null): [string | null, string, number] {
  return record ? [record.value, record.version, record.expiresAt] : [null, '', 0];
}

const LAYOUTS: readonly (readonly [name: string, layout: Layout])[] = [
  ['1, with records by their keys', inOneTable('key TEXT PRIMARY KEY', 'WITHOUT ROWID')],
  ['1, with records by rows', inOneTable('id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE', '')],
  [
    '2, with a log of records and an index of whole keys',
    asLog(
      2,
      'CREATE TABLE record_index (key TEXT PRIMARY KEY, row INTEGER NOT NULL) WITHOUT ROWID',
      'INSERT INTO record_index (key, row) SELECT key, row FROM record_log',
    ),
  ],
  [
    '3, with a log of records and an index in parts',
    asLog(
      3,
      `CREATE TABLE record_places (
        part INTEGER NOT NULL, hash INTEGER NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (part, hash, row)
      ) WITHOUT ROWID`,
      'INSERT INTO record_places (part, hash, row) SELECT 0, 7919 * row, row FROM record_log',
    ),
  ],
];

describe.each(LAYOUTS)('a directory of layout %s', (_, layout) => {
  let directory: string;
  let clock: FakeClock;
  let ports: EmbeddedPorts | undefined;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'layout-'));
    clock = new FakeClock();
  });
  afterEach(async () => {
    await close();
    rmSync(directory, { recursive: true });
  });

  function inFile<Result>(work: (db: Database) => Result): Result {
    const db = connect(storeFile(directory), { busyMs: 0 });
    try {
      return work(db);
    } finally {
      db.close();
    }
  }

  function make(states: readonly State[], known = 0): void {
    inFile((db) => {
      db.exec('CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID');
      db.exec(EVENTS);
      db.exec(layout.tables);
      layout.write(db, states, known);
      db.exec(`PRAGMA user_version = ${layout.version}`);
    });
  }

  async function open(): Promise<EmbeddedPorts> {
    return (ports = await openEmbeddedEngine(directory, clock));
  }

  async function close(): Promise<void> {
    await ports?.engine.close();
    ports = undefined;
  }

  const living = (value: string, hours = 1): ExpiringRecord => ({
    value,
    version: `1.${value.length}`,
    expiresAt: clock.now() + hours * HOUR,
  });
  const rows = () => inFile((db) => db.prepare('SELECT key FROM expiring_records ORDER BY key').all());

  it('keeps each living record to the byte, also the one that was made 23 hours before', async () => {
    const text = `{"id":1}\nHTTP/1.1 200 \u2028 \ud83d\ude00 "'\\ ${'x'.repeat(70_000)}`;
    const kept: readonly State[] = [
      ['ключ "\'\\', living(text)],
      ['empty', living('')],
      ['long', living('year', 9_000)],
    ];
    make(kept, 1);
    const { records } = await open();
    for (const [key, record] of kept) expect(await records.get(key)).toEqual(record);
    expect(await records.create('empty', 'again', clock.now() + HOUR)).toEqual({ created: false, record: kept[1]![1] });
  });

  it('has what was written last under each key, whether or not an index knew it', async () => {
    const keys = Array.from({ length: 20 }, (_, index) => `key ${index}`);
    const state = fc.tuple(fc.constantFrom(...keys), fc.option(fc.tuple(fc.string(), fc.integer({ min: -3, max: 3 }))));
    const states = fc.array(
      state.map(([key, parts]): State => [key, parts && living(...parts)]),
      { size: 'max', maxLength: 100 },
    );
    const law = fc.asyncProperty(states, fc.nat({ max: 100 }), async (written, known) => {
      make(written, known);
      const { records } = await open();
      const last = new Map(written);
      for (const key of keys) {
        const record = last.get(key) ?? null;
        expect(await records.get(key)).toEqual(record && record.expiresAt > clock.now() ? record : null);
      }
      await close();
      rmSync(storeFile(directory));
    });
    await fc.assert(law, { numRuns: 5 });
  });

  it('frees the key of a record that has expired, and forgets it', async () => {
    make([
      ['expired', living('late')],
      ['expired', living('early', -1)],
      ['kept', living('on')],
    ]);
    const { records } = await open();
    expect(await records.get('expired')).toBeNull();
    await clock.advance(MINUTE);
    await settle();
    expect(rows()).toEqual([['kept']]);
    expect((await records.create('expired', 'again', clock.now() + HOUR)).created).toBe(true);
  });

  it('is as any other from then on, and has nothing left of the older tables', async () => {
    make([
      ['replaced', living('one')],
      ['removed', living('one')],
    ]);
    const { records } = await open();
    await records.replace('replaced', '1.3', 'two', clock.now() + HOUR);
    expect(await records.remove('removed', '1.3')).toBe(true);
    await close();
    expect((await (await open()).records.get('replaced'))?.value).toBe('two');
    await close();
    expect(rows()).toEqual([['replaced']]);
    const left = 'SELECT name FROM sqlite_schema UNION SELECT name FROM meta';
    expect(inFile((db) => db.prepare(`SELECT name FROM (${left}) WHERE name LIKE 'record%'`).all())).toEqual([]);
  });

  it('stays as it is when its records cannot be moved', async () => {
    make([['kept', living('on')]]);
    const columns = "key TEXT PRIMARY KEY CHECK (key <> 'kept'), value TEXT, version TEXT, expires_at INTEGER";
    inFile((db) => db.exec(`CREATE TABLE expiring_records (${columns}) WITHOUT ROWID`));
    await expect(open()).rejects.toThrow(/constraint failed/);
    inFile((db) => db.exec('DROP TABLE expiring_records'));
    expect(await (await open()).records.get('kept')).toEqual(living('on'));
  });
});
