import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from './sqlite.js';
import { StoredRecords } from './stored-records.js';
import { RECORDS_INDEXED, openForWriting } from './writer/store-file.js';

const ROOM = 2_000;

let directory: string;
let db: Database;
let records: StoredRecords;
let unwritten: Map<string, unknown>;
let rows: Map<number, number>;
beforeEach(() => {
  unwritten = new Map();
  rows = new Map();
  directory = mkdtempSync(join(tmpdir(), 'records-'));
  db = openForWriting(join(directory, 'store.sqlite'));
});
afterEach(() => {
  records.close();
  db.close();
  rmSync(directory, { recursive: true });
});

const keyOf = (index: number): string => `key ${index}`;

function announce(index: number): void {
  rows.set(index, records.announce(keyOf(index), unwritten));
  unwritten.set(keyOf(index), null);
}

/** In the file and in its index, as if by an earlier opening, unless they were announced: then as their answers come. */
function store(from: number, to: number): void {
  const put = db.prepare("INSERT INTO record_log (row, key, value, version, expires_at) VALUES (?, ?, 'v', '1', 9)");
  const index = db.prepare('INSERT INTO record_index (key, row) VALUES (?, ?)');
  db.exec('BEGIN');
  for (let number = from; number < to; number++) {
    const row = rows.get(number);
    put.run(row ?? number + 1, keyOf(number));
    if (row === undefined) index.run(keyOf(number), number + 1);
  }
  db.exec(`INSERT OR REPLACE INTO meta (name, value) SELECT '${RECORDS_INDEXED}', max(row) FROM record_index; COMMIT`);
  for (let number = from; number < to; number++) {
    unwritten.delete(keyOf(number));
    const row = rows.get(number);
    if (row !== undefined) records.stored(keyOf(number), row);
  }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn();
}

/** Of every eleventh. */
function missing(count: number): number {
  return Array.from({ length: count / 11 }, (_, index) => records.get(keyOf(index * 11))).filter((found) => !found).length;
}

describe('stored records', () => {
  it.each([1, 3, 5, 8, 12])(
    'are all found when there are more than there is room for, and one comes after %i turns',
    async (after) => {
      store(0, 6_500);
      records = new StoredRecords(db, ROOM);
      await turns(after);
      for (let index = 6_500; index < 6_510; index++) {
        announce(index);
        store(index, index + 1);
        await turns(1);
      }
      for (let turn = 0; turn < 30; turn++) {
        expect(missing(6_510)).toBe(0);
        await turns(1);
      }
    },
  );

  it('are all found while they fill the room again and again', async () => {
    records = new StoredRecords(db, ROOM);
    for (let index = 0; index < 9_000; index++) announce(index);
    store(0, 9_000);
    for (let turn = 0; turn < 30; turn++) {
      announce(turn);
      expect(missing(9_000)).toBe(0);
      await turns(1);
    }
    expect(records.get('never stored')).toBeNull();
  });

  it('are all found in the index, also the one that was announced when the room was full', async () => {
    records = new StoredRecords(db, ROOM);
    await turns(5);
    for (let index = 0; index < ROOM + 5; index++) announce(index);
    await turns(5);
    store(0, ROOM + 5);
    const pass = records.forIndex();
    const index = db.prepare('INSERT INTO record_index (key, row) VALUES (?, ?)');
    db.exec('BEGIN');
    for (const [key, row] of pass.entries) index.run(key, row);
    db.exec('COMMIT');
    records.indexed(pass);
    expect(records.behind).toBe(0);
    expect(Array.from({ length: ROOM + 5 }, (_, number) => keyOf(number)).filter((key) => !records.get(key))).toEqual([]);
  });

  it('are all found though they were on their way into the file when the room was full', async () => {
    records = new StoredRecords(db, ROOM);
    for (let index = 0; index < ROOM; index++) announce(index);
    await turns(5);
    store(0, ROOM);
    expect(missing(ROOM)).toBe(0);
  });
});
