import { setImmediate } from 'node:timers';
import { isRetryableStoreError } from '@ports/event-store.port';
import type { ExpiringRecord } from '@ports/expiring-records.port';
import type { Reading } from '../database.js';
import { BloomFilter } from './bloom-filter.js';
import { keyHash } from './key-hash.js';
import { RECORDS_INDEXED, partOfRow, placesOf } from './record-parts.js';

const KEYS_READ_AT_ONCE = 1_000;
const ROOM_AT_LEAST = 1_000_000;
const FIRST = [-1, 0, 0] as const;

/** The place of a record's state in the log. */
export interface RecordPlace {
  readonly row: number;
  /** Whether the index certainly has no entry for the key. */
  readonly isNew: boolean;
}

/** The entries of one indexing pass. */
export interface IndexPass {
  /** In the order of the index; `rows` and `keys` go with them. */
  readonly hashes: readonly number[];
  readonly rows: readonly number[];
  readonly keys: readonly string[];
  /** Keys whose older state may be in the index. */
  readonly renewed: readonly (readonly [key: string, row: number])[];
  readonly superseded: readonly number[];
  /** After the pass the index knows every key up to this row. */
  readonly upTo: number;
}

type IndexKey = readonly [part: number, hash: number, row: number];
type LogRow = [value: string | null, version: string, expiresAt: number];

/**
 * Reads expiring records from the file: a small LSM tree (README.md). Each state of a record is appended to a log. The index
 * of keys follows thousands of rows later, in sorted batches. A Bloom filter spares new keys a look into it.
 */
export class StoredRecords {
  private readonly find;
  private readonly findInIndex;
  private readonly any;
  private readonly placesAfter;
  private keys: BloomFilter;
  /** Whether the filter has every key of the file. */
  private complete = false;
  /** Until then the full filter before it, which has every older key. */
  private before: BloomFilter | null = null;
  /** How many keys of the index were added to the filter. */
  private learned = 0;
  /** The newest row of each key that the index lacks, or has with an older row. */
  private readonly unindexed = new Map<string, RecordPlace>();
  /** Older rows of the same keys that the index never had. */
  private superseded: number[] = [];
  private newest = 0;
  private closed = false;

  constructor(
    db: Reading,
    private readonly roomAtLeast = ROOM_AT_LEAST,
  ) {
    this.find = db.prepare('SELECT value, version, expires_at FROM record_log WHERE row = ?');
    this.findInIndex = db.prepare(`${placesOf('log.value, log.version, log.expires_at')} LIMIT 1`);
    this.any = db.prepare('SELECT 1 FROM record_log LIMIT 1');
    this.placesAfter = db.prepare(
      'SELECT part, hash, row FROM record_places WHERE (part, hash, row) > (?, ?, ?) ORDER BY part, hash, row LIMIT ?',
    );
    this.keys = new BloomFilter(roomAtLeast);
    this.readBehindIndex(db);
    this.readIndexAfter(FIRST);
  }

  get empty(): boolean {
    return this.any.get() === undefined;
  }

  /** How many keys the index lacks, or has with an older row. */
  get behind(): number {
    return this.unindexed.size;
  }

  get(key: string): ExpiringRecord | null {
    const place = this.unindexed.get(key);
    const found = place ? this.find.get(place.row) : this.inIndex(key);
    if (!found) return null;
    const [value, version, expiresAt] = found as unknown as LogRow;
    return value === null ? null : { value, version, expiresAt };
  }

  /**
   * The place for a state that is about to be written under this key. `unwritten` has the keys that were announced before and
   * may not be in the file yet.
   */
  announce(key: string, unwritten: { keys(): Iterable<string> }): RecordPlace {
    const hash = keyHash(key);
    const isNew = !this.mayKnow(hash);
    if (this.complete && this.keys.full) this.startAnew(unwritten);
    this.keys.add(hash);
    this.newest += 1;
    return { row: this.newest, isNew };
  }

  /** Notes that the file has this state. Of earlier ones it has all that it will ever have. */
  stored(key: string, place: RecordPlace): void {
    const older = this.unindexed.get(key);
    if (older) this.superseded.push(older.row);
    this.unindexed.set(key, older?.isNew ? { row: place.row, isNew: true } : place);
  }

  forIndex(): IndexPass {
    const entries = [...this.unindexed].map(([key, { row, isNew }]) => {
      return { key, row, isNew, hash: keyHash(key), part: partOfRow(row) };
    });
    entries.sort((one, other) => one.part - other.part || one.hash - other.hash);
    return {
      hashes: entries.map(({ hash }) => hash),
      rows: entries.map(({ row }) => row),
      keys: entries.map(({ key }) => key),
      renewed: entries.filter(({ isNew }) => !isNew).map(({ key, row }) => [key, row]),
      superseded: [...this.superseded],
      upTo: entries.reduce((last, { row }) => Math.max(last, row), 0),
    };
  }

  /** Notes that the pass is in the index. */
  indexed({ keys, rows, superseded }: IndexPass): void {
    for (const [at, key] of keys.entries()) {
      const place = this.unindexed.get(key);
      if (place?.row === rows[at]) this.unindexed.delete(key);
      else if (place) this.unindexed.set(key, { row: place.row, isNew: false });
    }
    this.superseded = this.superseded.slice(superseded.length);
  }

  close(): void {
    this.closed = true;
  }

  private inIndex(key: string): unknown {
    const hash = keyHash(key);
    return this.mayKnow(hash) ? this.findInIndex.get(hash, key) : undefined;
  }

  /** Whether a key with this hash may be in the file or be on its way there. */
  private mayKnow(hash: number): boolean {
    if (!this.complete && !this.before) return true;
    return this.keys.mayHave(hash) || (this.before?.mayHave(hash) ?? false);
  }

  private readBehindIndex(db: Reading): void {
    const mark = db.prepare(`SELECT value FROM meta WHERE name = '${RECORDS_INDEXED}'`).get() as unknown as [number] | undefined;
    this.newest = mark?.[0] ?? 0;
    const rows = db.prepare('SELECT key, row FROM record_log WHERE row > ? ORDER BY row').all(this.newest);
    for (const [key, row] of rows as unknown as [string, number][]) {
      this.newest = row;
      this.stored(key, { row, isNew: false });
      this.keys.add(keyHash(key));
    }
  }

  /** Replaces a filter that expired keys have filled. The new one has room for twice the keys that the index had. */
  private startAnew(unwritten: { keys(): Iterable<string> }): void {
    this.complete = false;
    this.before = this.keys;
    this.keys = new BloomFilter(Math.max(this.roomAtLeast, 2 * this.learned));
    for (const key of [...unwritten.keys(), ...this.unindexed.keys()]) this.keys.add(keyHash(key));
    this.learned = 0;
    setImmediate(() => this.readOn(FIRST));
  }

  /**
   * Adds the keys of the index to the filter, some in each turn of the event loop. Keys that come meanwhile are added when
   * they are announced. The filter is not replaced before the end.
   */
  private readIndexAfter(after: IndexKey): void {
    if (this.closed) return;
    const found = this.placesAfter.all(...after, KEYS_READ_AT_ONCE) as unknown as IndexKey[];
    for (const [, hash] of found) this.keys.add(hash);
    this.learned += found.length;
    const last = found.at(-1);
    if (last === undefined || found.length < KEYS_READ_AT_ONCE) this.learnedAll();
    else setImmediate(() => this.readOn(last));
  }

  /** Where the index cannot be read the filter stays incomplete, which costs reads and hides no key. */
  private readOn(after: IndexKey): void {
    try {
      this.readIndexAfter(after);
    } catch (error) {
      if (!isRetryableStoreError(error)) throw error;
    }
  }

  private learnedAll(): void {
    this.complete = true;
    this.before = null;
  }
}
