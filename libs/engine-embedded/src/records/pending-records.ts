import { Clock } from '@ports/clock.port';
import type { ExpiringRecord } from '@ports/expiring-records.port';
import { type RecordRequest, type WriteAnswer, isRefusal } from '../writer/requests.js';
import { type WriteQueue, failureOf } from '../writer/write-queue.js';
import type { StoredRecords } from './stored-records.js';

const PURGE_EVERY_MS = 60_000;
const RETRY_AFTER_MS = 500;
/** The most refused decisions to keep; the oldest is dropped first. */
const MAX_OWED = 10_000;

interface Decision {
  readonly record: ExpiringRecord | null;
}

/**
 * Decides who may write a record, and keeps each decision until the file has it. One instance per file: two could let two callers create
 * the same record. The file follows in the order of decisions.
 */
export class PendingRecords {
  private readonly decided = new Map<string, Decision>();
  /** Keys of decisions that the disk refused. They hold, and are retried until stored. */
  private readonly owed = new Set<string>();
  private paying = false;
  private purging = false;
  private writes = 0;

  constructor(
    private readonly queue: WriteQueue,
    private readonly file: StoredRecords,
    private readonly clock: Clock,
    /** Differs per opening of the file, so that versions never repeat. */
    private readonly opening: number,
  ) {
    this.schedulePurge();
  }

  living(key: string): ExpiringRecord | null {
    const decided = this.decided.get(key);
    const record = decided ? decided.record : this.file.get(key);
    return record && record.expiresAt > this.clock.now() ? record : null;
  }

  next(value: string, expiresAt: number): ExpiringRecord {
    this.writes += 1;
    return { value, version: `${this.opening}.${this.writes}`, expiresAt };
  }

  /** Visible to all readers in this process before the file has it. A null record is a removal. */
  write(
    key: string,
    record: ExpiringRecord | null,
    written: () => void = () => undefined,
    failed: (error: Error) => void = () => undefined,
  ): void {
    const decision = { record };
    this.decided.set(key, decision);
    this.owed.delete(key);
    const request: RecordRequest = record ? { kind: 'put-record', key, ...record } : { kind: 'remove-record', key };
    this.queue.send(request, (answer: WriteAnswer): void => {
      const isNewest = this.decided.get(key) === decision;
      if (isRefusal(answer)) {
        if (isNewest) this.owe(key);
        failed(failureOf(answer));
      } else {
        if (isNewest) this.decided.delete(key);
        written();
      }
      this.schedulePurge();
    });
  }

  private owe(key: string): void {
    this.owed.add(key);
    if (this.owed.size > MAX_OWED) this.giveUpOldest();
    if (this.paying) return;
    this.paying = true;
    this.clock.after(RETRY_AFTER_MS, () => this.pay());
  }

  private giveUpOldest(): void {
    const oldest = this.owed.values().next();
    if (oldest.done) return;
    this.owed.delete(oldest.value);
    this.decided.delete(oldest.value);
  }

  private pay(): void {
    this.paying = false;
    for (const key of Array.from(this.owed)) {
      const decided = this.decided.get(key);
      this.owed.delete(key);
      if (this.queue.closed || decided === undefined) continue;
      const { record } = decided;
      // If the record has expired meanwhile, remove it: the file may hold an older state that has not.
      this.write(key, record && record.expiresAt > this.clock.now() ? record : null);
    }
  }

  /** A timer runs only while something can expire. */
  private schedulePurge(): void {
    if (this.purging) return;
    this.purging = true;
    this.clock.after(PURGE_EVERY_MS, () => void this.purge());
  }

  private async purge(): Promise<void> {
    try {
      while (await this.queue.ask<boolean>({ kind: 'purge-records', now: this.clock.now() }));
      this.purging = false;
      if (!this.file.empty) this.schedulePurge();
    } catch {
      this.purging = false;
      if (!this.queue.closed) this.schedulePurge();
    }
  }
}
