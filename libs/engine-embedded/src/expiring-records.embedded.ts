import { Clock } from '@ports/clock.port';
import { type Creation, type ExpiringRecord, ExpiringRecords } from '@ports/expiring-records.port';
import type { WriteRequest } from './writer/requests.js';
import { type WriteQueue } from './writer/write-queue.js';
import type { Database } from './sqlite.js';

const PURGE_EVERY_MS = 60_000;

/** Decides in this process, which is the only one; the file follows in the order of the decisions. */
export class EmbeddedExpiringRecords extends ExpiringRecords {
  /** What is decided and not yet in the file; null: removed. */
  private readonly overlay = new Map<string, ExpiringRecord | null>();
  private readonly find;
  private readonly any;
  private purging = false;
  private writes = 0;

  constructor(
    private readonly queue: WriteQueue,
    db: Database,
    private readonly clock: Clock,
    /** Differs with every opening of the file, so that versions never repeat. */
    private readonly opening: number,
  ) {
    super();
    this.find = db.prepare('SELECT value, version, expires_at FROM records WHERE key = ?');
    this.any = db.prepare('SELECT 1 FROM records LIMIT 1');
    this.schedulePurge();
  }

  create(key: string, value: string, expiresAt: number): Promise<Creation> {
    return attempt(() => {
      const holder = this.living(key);
      if (holder) return { created: false, record: holder };
      const record = this.next(value, expiresAt);
      this.write(key, record).catch(() => undefined);
      return { created: true, record };
    });
  }

  get(key: string): Promise<ExpiringRecord | null> {
    return attempt(() => this.living(key));
  }

  async replace(key: string, version: string, value: string, expiresAt: number): Promise<ExpiringRecord | null> {
    if (this.living(key)?.version !== version) return null;
    const record = this.next(value, expiresAt);
    await this.write(key, record);
    return record;
  }

  async remove(key: string, version: string): Promise<boolean> {
    if (this.living(key)?.version !== version) return false;
    await this.write(key, null);
    return true;
  }

  private living(key: string): ExpiringRecord | null {
    const record = this.overlay.has(key) ? (this.overlay.get(key) ?? null) : this.stored(key);
    return record && record.expiresAt > this.clock.now() ? record : null;
  }

  private stored(key: string): ExpiringRecord | null {
    const found = this.find.get(key) as unknown as [string, string, number] | undefined;
    return found ? { value: found[0], version: found[1], expiresAt: found[2] } : null;
  }

  private next(value: string, expiresAt: number): ExpiringRecord {
    this.writes += 1;
    return { value, version: `${this.opening}.${this.writes}`, expiresAt };
  }

  /** Everybody here sees the write at once; it leaves the overlay when the file has it, or never will. */
  private async write(key: string, record: ExpiringRecord | null): Promise<void> {
    this.overlay.set(key, record);
    const request: WriteRequest = record ? { kind: 'put-record', key, ...record } : { kind: 'remove-record', key };
    try {
      await this.queue.ask(request);
    } finally {
      if (this.overlay.get(key) === record) this.overlay.delete(key);
    }
    this.schedulePurge();
  }

  /** A timer only while there is something to expire. */
  private schedulePurge(): void {
    if (this.purging) return;
    this.purging = true;
    this.clock.at(this.clock.now() + PURGE_EVERY_MS, () => void this.purge());
  }

  private async purge(): Promise<void> {
    try {
      while (await this.queue.ask<boolean>({ kind: 'purge-records', now: this.clock.now() }));
      this.purging = false;
      if (this.any.get() !== undefined) this.schedulePurge();
    } catch {
      this.purging = false;
    }
  }
}

function attempt<T>(decide: () => T): Promise<T> {
  return new Promise((resolve) => resolve(decide()));
}
