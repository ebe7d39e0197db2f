import { InFlight } from '@domain/kernel/in-flight';
import { Clock } from '@ports/clock.port';
import { type Creation, type ExpiringRecord, ExpiringRecords } from '@ports/expiring-records.port';
import { EnteredKeys } from './entered-keys.js';
import { isRefusal } from './writer/requests.js';
import { type WriteQueue, failureOf } from './writer/write-queue.js';
import type { StoredRecords } from './stored-records.js';

const PURGE_EVERY_MS = 60_000;
const CREATED_KEPT = 1_024;
const OWED_AGAIN_AFTER_MS = 500;
/** While the disk refuses, so many decisions are remembered; older ones are given up. */
const MOST_OWED = 10_000;

/** What stands in the place of a record that was removed; it expires at once. */
const REMOVED = { value: null, version: '', expiresAt: 0 };

/** A state on its way to its row of the file; null: removed. */
interface Decision {
  readonly row: number;
  readonly record: ExpiringRecord | null;
}

/** Decides in this process, which is the only one; the file follows in the order of the decisions, and in the end. */
export class EmbeddedExpiringRecords extends ExpiringRecords {
  /** What is decided and not yet in the file. */
  private readonly overlay = new InFlight<string, Decision>();
  /** Records that were created last and are in the file: they are about to be replaced. */
  private readonly created = new InFlight<string, ExpiringRecord>();
  /** Keys of decisions that the disk refused: they hold, and are written as soon as it takes them. */
  private readonly owed = new Set<string>();
  private readonly entering: EnteredKeys;
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
    this.entering = new EnteredKeys(queue, file);
    this.schedulePurge();
  }

  create(key: string, value: string, expiresAt: number): Promise<Creation> {
    return attempt(() => {
      const holder = this.living(key);
      if (holder) return { created: false, record: holder };
      const record = this.next(value, expiresAt);
      this.write(key, record, (isNewest) => isNewest && this.keep(key, record));
      return { created: true, record };
    });
  }

  get(key: string): Promise<ExpiringRecord | null> {
    return attempt(() => this.living(key));
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
    const decided = this.overlay.get(key);
    const record = decided ? decided.record : (this.created.get(key) ?? this.file.get(key));
    return record && record.expiresAt > this.clock.now() ? record : null;
  }

  private keep(key: string, record: ExpiringRecord): void {
    this.created.set(key, record);
    if (this.created.size <= CREATED_KEPT) return;
    const oldest = this.created.keys().next();
    if (!oldest.done) this.created.delete(oldest.value);
  }

  private next(value: string, expiresAt: number): ExpiringRecord {
    this.writes += 1;
    return { value, version: `${this.opening}.${this.writes}`, expiresAt };
  }

  /** Everybody here sees the write at once; it leaves the overlay when the file has it. */
  private write(
    key: string,
    record: ExpiringRecord | null,
    written: (isNewest: boolean) => void,
    failed: (error: Error) => void = () => undefined,
  ): void {
    const row = this.file.announce(key, this.overlay);
    this.overlay.set(key, { row, record });
    this.created.delete(key);
    this.owed.delete(key);
    this.queue.send({ kind: 'put-record', row, key, ...(record ?? REMOVED) }, (answer) => {
      const isNewest = this.overlay.get(key)?.row === row;
      if (isRefusal(answer)) {
        if (isNewest) this.owe(key);
        failed(failureOf(answer));
      } else {
        this.file.stored(key, row);
        if (isNewest) this.overlay.delete(key);
        written(isNewest);
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
    this.overlay.delete(oldest.value);
  }

  private pay(): void {
    this.paying = false;
    for (const key of [...this.owed]) {
      const decided = this.overlay.get(key);
      this.owed.delete(key);
      if (this.queue.closed || decided === undefined) continue;
      const { record } = decided;
      // One that has expired meanwhile is removed: the file may have an older one that has not.
      this.write(key, record && record.expiresAt > this.clock.now() ? record : null, () => undefined);
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

function attempt<T>(decide: () => T): Promise<T> {
  return new Promise((resolve) => resolve(decide()));
}
