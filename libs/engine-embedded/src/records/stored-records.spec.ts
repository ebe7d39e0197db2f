import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../database.js';
import { type RecordPlace, StoredRecords } from './stored-records.js';
import { keyHash } from './key-hash.js';
import { openForWriting } from '../writer/store-file.js';
import { RECORDS_INDEXED } from './record-parts.js';

const ROOM = 2_000;

let directory: string;
let db: Database;
let records: StoredRecords;
let unwritten: Map<string, unknown>;
let places: Map<number, RecordPlace>;
beforeEach(() => {
  unwritten = new Map();
  places = new Map();
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
  places.set(index, records.announce(keyOf(index), unwritten));
  unwritten.set(keyOf(index), null);
}

/** In the file and in its index, as if by an earlier opening, unless they were announced: then as their answers come. */
function store(from: number, to: number): void {
  const put = db.prepare("INSERT INTO record_log (row, key, value, version, expires_at) VALUES (?, ?, 'v', '1', 9)");
  const index = db.prepare('INSERT INTO record_places (part, hash, row) VALUES (0, ?, ?)');
  db.exec('BEGIN');
  for (let number = from; number < to; number++) {
    const place = places.get(number);
    put.run(place?.row ?? number + 1, keyOf(number));
    if (!place) index.run(keyHash(keyOf(number)), number + 1);
  }
  db.exec(`INSERT OR REPLACE INTO meta (name, value) SELECT '${RECORDS_INDEXED}', max(row) FROM record_places; COMMIT`);
  for (let number = from; number < to; number++) {
    unwritten.delete(keyOf(number));
    const place = places.get(number);
    if (place) records.stored(keyOf(number), place);
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
    const index = db.prepare('INSERT INTO record_places (part, hash, row) VALUES (0, ?, ?)');
    db.exec('BEGIN');
    for (const [at, hash] of pass.hashes.entries()) index.run(hash, pass.rows[at] ?? 0);
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

  it('are new to the index until it was told of their keys, also of those that come again meanwhile', async () => {
    records = new StoredRecords(db, ROOM);
    await turns(5);
    for (const index of [0, 1]) announce(index);
    store(0, 2);
    const pass = records.forIndex();
    expect([pass.keys.toSorted(), pass.renewed]).toEqual([[keyOf(0), keyOf(1)], []]);
    announce(0);
    store(0, 1);
    expect(records.forIndex().renewed).toEqual([]);
    records.indexed(pass);
    expect(records.forIndex()).toMatchObject({ rows: [3], renewed: [[keyOf(0), 3]] });
    announce(1);
    store(1, 2);
    expect(records.forIndex().renewed).toHaveLength(2);
  });

  it('may be known to the index as long as nobody has looked through all of it', () => {
    store(0, 6_500);
    records = new StoredRecords(db, ROOM);
    expect(records.announce('never stored', unwritten).isNew).toBe(false);
  });
});
