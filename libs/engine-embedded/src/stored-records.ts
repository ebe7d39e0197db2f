import { setImmediate } from 'node:timers';
import type { ExpiringRecord } from '@ports/expiring-records.port';
import { PossibleKeys } from './possible-keys.js';
import { RECORDS_INDEXED } from './writer/store-file.js';
import type { Database } from './sqlite.js';

const KEYS_READ_AT_ONCE = 1_000;
const ROOM_AT_LEAST = 1_000_000;

/** What the index of keys is to be told. */
export interface IndexPass {
  /** In the order of keys. */
  readonly entries: readonly (readonly [key: string, row: number])[];
  readonly superseded: readonly number[];
  /** Then the index knows everything up to this row. */
  readonly upTo: number;
}

type LogRow = [value: string | null, version: string, expiresAt: number];

/**
 * Expiring records as they lie in the file: every state of one is a row of a log, behind all before it, so that what is
 * written together lies together. The index of keys follows thousands of rows behind, sorted: keys are random, and to
 * enter each by itself writes a page of the file for each. Most keys that are asked for are new, and cost no look into it.
 */
export class StoredRecords {
  private readonly find;
  private readonly findRow;
  private readonly any;
  private readonly keysAfter;
  private keys: PossibleKeys;
  /** Whether every key in the file was added by now. */
  private complete = false;
  /** How many keys the index had when they were added. */
  private learned = 0;
  /** The newest rows of keys that the index does not know, or knows by an older row. */
  private readonly unindexed = new Map<string, number>();
  /** Older rows of the same keys, behind what the index knows. */
  private superseded: number[] = [];
  private newest = 0;
  private closed = false;

  constructor(
    db: Database,
    private readonly roomAtLeast = ROOM_AT_LEAST,
  ) {
    this.find = db.prepare('SELECT value, version, expires_at FROM record_log WHERE row = ?');
    this.findRow = db.prepare('SELECT row FROM record_index WHERE key = ?');
    this.any = db.prepare('SELECT 1 FROM record_log LIMIT 1');
    this.keysAfter = db.prepare('SELECT key FROM record_index WHERE key > ? ORDER BY key LIMIT ?');
    this.keys = new PossibleKeys(roomAtLeast);
    this.readBehindIndex(db);
    this.learn('');
  }

  get empty(): boolean {
    return this.any.get() === undefined;
  }

  /** How many keys the index does not know as they are now. */
  get behind(): number {
    return this.unindexed.size;
  }

  get(key: string): ExpiringRecord | null {
    const row = this.unindexed.get(key) ?? this.rowInIndex(key);
    const found = row === undefined ? undefined : (this.find.get(row) as unknown as LogRow | undefined);
    if (!found) return null;
    const [value, version, expiresAt] = found;
    return value === null ? null : { value, version, expiresAt };
  }

  /**
   * A state of a record is about to be written under this key: the row for it. `unwritten`: the keys that were announced
   * and may not be in the file yet.
   */
  announce(key: string, unwritten: { keys(): Iterable<string> }): number {
    if (this.complete && this.keys.full) this.startAnew(unwritten);
    this.keys.add(key);
    this.newest += 1;
    return this.newest;
  }

  /** The file has what was announced, and all before it that it will ever have. */
  stored(key: string, row: number): void {
    const older = this.unindexed.get(key);
    if (older !== undefined) this.superseded.push(older);
    this.unindexed.set(key, row);
  }

  forIndex(): IndexPass {
    const entries = [...this.unindexed].sort(([one], [other]) => (one < other ? -1 : 1));
    const upTo = entries.reduce((last, [, row]) => Math.max(last, row), 0);
    return { entries, superseded: [...this.superseded], upTo };
  }

  /** The index was told. */
  indexed({ entries, superseded }: IndexPass): void {
    for (const [key, row] of entries) if (this.unindexed.get(key) === row) this.unindexed.delete(key);
    this.superseded = this.superseded.slice(superseded.length);
  }

  close(): void {
    this.closed = true;
  }

  private rowInIndex(key: string): number | undefined {
    if (this.complete && !this.keys.mayHave(key)) return undefined;
    return (this.findRow.get(key) as unknown as [number] | undefined)?.[0];
  }

  private readBehindIndex(db: Database): void {
    const mark = db.prepare(`SELECT value FROM meta WHERE name = '${RECORDS_INDEXED}'`).get() as unknown as [number] | undefined;
    this.newest = mark?.[0] ?? 0;
    const rows = db.prepare('SELECT key, row FROM record_log WHERE row > ? ORDER BY row').all(this.newest);
    for (const [key, row] of rows as unknown as [string, number][]) {
      this.newest = row;
      this.stored(key, row);
      this.keys.add(key);
    }
  }

  /** Expired keys are in nobody's way but fill the set. The next has room for twice as many as this one once found. */
  private startAnew(unwritten: { keys(): Iterable<string> }): void {
    this.complete = false;
    this.keys = new PossibleKeys(Math.max(this.roomAtLeast, 2 * this.learned));
    for (const key of [...unwritten.keys(), ...this.unindexed.keys()]) this.keys.add(key);
    this.learned = 0;
    setImmediate(() => this.learn(''));
  }

  /**
   * A few keys at a time, so that a long list holds nobody up. Keys that come meanwhile are announced, and nobody starts
   * anew before the end: what was learned belongs to one set.
   */
  private learn(after: string): void {
    if (this.closed) return;
    const found = this.keysAfter.all(after, KEYS_READ_AT_ONCE) as unknown as [string][];
    for (const [key] of found) this.keys.add(key);
    this.learned += found.length;
    const last = found.at(-1)?.[0];
    if (last === undefined || found.length < KEYS_READ_AT_ONCE) this.complete = true;
    else setImmediate(() => this.learn(last));
  }
}
