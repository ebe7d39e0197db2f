import { Clock } from '@ports/clock.port';
import { type Creation, type ExpiringRecord, ExpiringRecords } from '@ports/expiring-records.port';
import { RecordIndexer } from './record-indexer.js';
import { type WriteAnswer, isRefusal } from '../writer/requests.js';
import { type WriteQueue, failureOf } from '../writer/write-queue.js';
import type { StoredRecords } from './stored-records.js';

const PURGE_EVERY_MS = 60_000;
const OWED_AGAIN_AFTER_MS = 500;
/** While the disk refuses, so many decisions are remembered; older ones are given up. */
const MOST_OWED = 10_000;

/** What stands in the place of a record that was removed; it expires at once. */
const REMOVED = { value: null, version: '', expiresAt: 0 };

interface Decision {
  /** Null: removed. */
  readonly record: ExpiringRecord | null;
}

/** Decides in this process, which is the only one; the file follows in the order of the decisions, and in the end. */
export class EmbeddedExpiringRecords extends ExpiringRecords {
  /** The newest decision about each key, until the file has it. */
  private readonly decided = new Map<string, Decision>();
  /** Keys of decisions that the disk refused: they hold, and are written as soon as it takes them. */
  private readonly owed = new Set<string>();
  private readonly entering: RecordIndexer;
  private paying = false;
  private purging = false;
  private writes = 0;

  constructor(
    private readonly queue: WriteQueue,
    private readonly file: StoredRecords,
    private readonly clock: Clock,
    /** Differs with every opening of the file, so that versions never repeat. */
    private readonly opening: number,
  ) {
    super();
    this.entering = new RecordIndexer(queue, file);
    this.schedulePurge();
  }

  create(key: string, value: string, expiresAt: number): Promise<Creation> {
    return new Promise((resolve, reject) => {
      const holder = this.living(key);
      if (holder) return resolve({ created: false, record: holder });
      const record = this.next(value, expiresAt);
      this.write(key, record, () => resolve({ created: true, record }), reject);
    });
  }

  get(key: string): Promise<ExpiringRecord | null> {
    return new Promise((resolve) => resolve(this.living(key)));
  }

  replace(key: string, version: string, value: string, expiresAt: number): Promise<ExpiringRecord | null> {
    return new Promise((resolve, reject) => {
      if (this.living(key)?.version !== version) return resolve(null);
      const record = this.next(value, expiresAt);
      this.write(key, record, () => resolve(record), reject);
    });
  }

  remove(key: string, version: string): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (this.living(key)?.version !== version) return resolve(false);
      this.write(key, null, () => resolve(true), reject);
    });
  }

  private living(key: string): ExpiringRecord | null {
    const decided = this.decided.get(key);
    const record = decided ? decided.record : this.file.get(key);
    return record && record.expiresAt > this.clock.now() ? record : null;
  }

  private next(value: string, expiresAt: number): ExpiringRecord {
    this.writes += 1;
    return { value, version: `${this.opening}.${this.writes}`, expiresAt };
  }

  /** Everybody in this process sees the write at once, before the file has it. */
  private write(
    key: string,
    record: ExpiringRecord | null,
    written: () => void = () => undefined,
    failed: (error: Error) => void = () => undefined,
  ): void {
    const place = this.file.announce(key, this.decided);
    const decision = { record };
    this.decided.set(key, decision);
    this.owed.delete(key);
    const request = { kind: 'put-record', row: place.row, key, ...(record ?? REMOVED) } as const;
    this.queue.send(request, (answer: WriteAnswer): void => {
      const isNewest = this.decided.get(key) === decision;
      if (isRefusal(answer)) {
        if (isNewest) this.owe(key);
        failed(failureOf(answer));
      } else {
        this.file.stored(key, place);
        if (isNewest) this.decided.delete(key);
        written();
        this.entering.enterMany();
      }
      this.schedulePurge();
    });
  }

  private owe(key: string): void {
    this.owed.add(key);
    if (this.owed.size > MOST_OWED) this.giveUpOldest();
    if (this.paying) return;
    this.paying = true;
    this.clock.after(OWED_AGAIN_AFTER_MS, () => this.pay());
  }

  private giveUpOldest(): void {
    const oldest = this.owed.values().next();
    if (oldest.done) return;
    this.owed.delete(oldest.value);
    this.decided.delete(oldest.value);
  }

  private pay(): void {
    this.paying = false;
    for (const key of [...this.owed]) {
      const decided = this.decided.get(key);
      this.owed.delete(key);
      if (this.queue.closed || decided === undefined) continue;
      const { record } = decided;
      // One that has expired meanwhile is removed: the file may have an older one that has not.
      this.write(key, record && record.expiresAt > this.clock.now() ? record : null);
    }
  }

  /** A timer only while there is something to expire. */
  private schedulePurge(): void {
    if (this.purging) return;
    this.purging = true;
    this.clock.after(PURGE_EVERY_MS, () => void this.purge());
  }

  private async purge(): Promise<void> {
    try {
      // Where the disk has no room for the index, it may get some.
      await this.entering.enter().catch(() => undefined);
      while (await this.queue.ask<boolean>({ kind: 'purge-records', now: this.clock.now() }));
      this.purging = false;
      if (!this.file.empty) this.schedulePurge();
    } catch {
      this.purging = false;
      if (!this.queue.closed) this.schedulePurge();
    }
  }
}
