import { setImmediate } from 'node:timers';
import type { ExpiringRecord } from '@ports/expiring-records.port';
import { PossibleKeys } from './possible-keys.js';
import type { Database } from './sqlite.js';

const KEYS_READ_AT_ONCE = 1_000;
const ROOM_AT_LEAST = 1_000_000;

/** Expiring records as they lie in the file. Most keys that are asked for are new, and cost no look into the file. */
export class StoredRecords {
  private readonly find;
  private readonly any;
  private readonly keysAfter;
  private keys: PossibleKeys;
  /** Whether every key in the file was added by now. */
  private complete = false;
  /** How many keys the file had when they were added. */
  private learned = 0;
  private closed = false;

  constructor(
    db: Database,
    private readonly roomAtLeast = ROOM_AT_LEAST,
  ) {
    this.find = db.prepare('SELECT value, version, expires_at FROM records WHERE key = ?');
    this.any = db.prepare('SELECT 1 FROM records LIMIT 1');
    this.keysAfter = db.prepare('SELECT key FROM records WHERE key > ? ORDER BY key LIMIT ?');
    this.keys = new PossibleKeys(roomAtLeast);
    this.learn('');
  }

  get empty(): boolean {
    return this.any.get() === undefined;
  }

  get(key: string): ExpiringRecord | null {
    if (this.complete && !this.keys.mayHave(key)) return null;
    const found = this.find.get(key) as unknown as [string, string, number] | undefined;
    return found ? { value: found[0], version: found[1], expiresAt: found[2] } : null;
  }

  /** A record is about to be written under this key. `unwritten`: the keys that were announced and may not be in the file yet. */
  announce(key: string, unwritten: ReadonlyMap<string, unknown>): void {
    this.keys.add(key);
    if (this.complete && this.keys.full) this.startAnew(unwritten);
  }

  close(): void {
    this.closed = true;
  }

  /** Expired keys are in nobody's way but fill the set. The next has room for twice as many as this one once found. */
  private startAnew(unwritten: ReadonlyMap<string, unknown>): void {
    this.complete = false;
    this.keys = new PossibleKeys(Math.max(this.roomAtLeast, 2 * this.learned));
    for (const key of unwritten.keys()) this.keys.add(key);
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
