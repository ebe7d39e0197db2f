import type { Clock } from '@ports/clock.port';
import type { ExpiringRecord, ExpiringRecords } from '@ports/expiring-records.port';
import { leased, recordText, type IdempotencyRecord } from './idempotency-record.js';

const RENEW_EVERY_MS = 3_000;
const MAX_EXECUTION_MS = 5 * 60_000;

/** The right to execute a key's request. The lease is renewed until the outcome is stored, for five minutes at most. */
export class IdempotencyLock {
  private version: string;
  private readonly expiresAt: number;
  private readonly heldSince: number;
  private cancel: () => void = () => undefined;
  private renewal: Promise<void> = Promise.resolve();
  private isOver = false;
  /** The text of a rejected write, which may have been stored nevertheless. */
  private unsettled: string | null = null;

  constructor(
    private readonly records: ExpiringRecords,
    private readonly clock: Clock,
    readonly recordKey: string,
    readonly requestId: string,
    /** An earlier execution may have done part of the work. */
    readonly isRetry: boolean,
    private held: IdempotencyRecord,
    { version, expiresAt }: ExpiringRecord,
  ) {
    this.version = version;
    this.expiresAt = expiresAt;
    this.heldSince = held.leasedAt;
    this.renewLater();
  }

  get record(): IdempotencyRecord {
    return this.held;
  }

  /** The earlier request that may have received an answer; null when none can have. */
  get originalRequest(): string | null {
    return this.held.requestId === this.requestId ? null : this.held.requestId;
  }

  /** Resolves when no renewal is running and none will start. */
  async stopRenewing(): Promise<void> {
    this.isOver = true;
    this.cancel();
    await this.renewal;
  }

  /** Stores the final state. False when another execution has taken the record over. */
  async replace(text: string): Promise<boolean> {
    return (await this.write(text)) !== null;
  }

  /** Removes the record: the request counts as never executed. */
  async remove(): Promise<void> {
    await this.records.remove(this.recordKey, this.version);
  }

  private renewLater(): void {
    this.cancel = this.clock.after(RENEW_EVERY_MS, () => {
      this.renewal = this.renew();
    });
  }

  /** A failed renewal is retried at the next interval. Stops when another execution has taken the record over. */
  private async renew(): Promise<void> {
    const now = this.clock.now();
    if (now - this.heldSince > MAX_EXECUTION_MS) return;
    const renewed = leased(this.held, now);
    try {
      const replaced = await this.replaced(recordText(renewed));
      if (!replaced) return;
      this.held = renewed;
      this.version = replaced.version;
    } catch {
      // The lease outlives two more renewals.
    }
    if (!this.isOver) this.renewLater();
  }

  /** A rejected write may have been stored nevertheless, so the record is read back. */
  private async replaced(text: string): Promise<ExpiringRecord | null> {
    try {
      return await this.write(text);
    } catch (error) {
      this.unsettled = text;
      const found = await this.records.get(this.recordKey);
      if (found?.value === text) return found;
      throw error;
    }
  }

  /** Null when another execution took the record over. An unknown version may be that of an own write with unknown outcome. */
  private async write(text: string): Promise<ExpiringRecord | null> {
    const { records, recordKey, expiresAt, unsettled } = this;
    const replaced = await records.replace(recordKey, this.version, text, expiresAt);
    if (replaced || unsettled === null) return replaced;
    const found = await records.get(recordKey);
    return found?.value === unsettled ? records.replace(recordKey, found.version, text, expiresAt) : null;
  }
}
