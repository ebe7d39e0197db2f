import { type Creation, type ExpiringRecord, ExpiringRecords } from '@ports/expiring-records.port';
import type { PendingRecords } from './pending-records.js';

export class EmbeddedExpiringRecords extends ExpiringRecords {
  constructor(private readonly pending: PendingRecords) {
    super();
  }

  create(key: string, value: string, expiresAt: number): Promise<Creation> {
    return new Promise((resolve, reject) => {
      const holder = this.pending.living(key);
      if (holder) return resolve({ created: false, record: holder });
      const record = this.pending.next(value, expiresAt);
      this.pending.write(key, record, () => resolve({ created: true, record }), reject);
    });
  }

  get(key: string): Promise<ExpiringRecord | null> {
    return new Promise((resolve) => resolve(this.pending.living(key)));
  }

  replace(key: string, version: string, value: string, expiresAt: number): Promise<ExpiringRecord | null> {
    return new Promise((resolve, reject) => {
      if (this.pending.living(key)?.version !== version) return resolve(null);
      const record = this.pending.next(value, expiresAt);
      this.pending.write(key, record, () => resolve(record), reject);
    });
  }

  remove(key: string, version: string): Promise<boolean> {
    return new Promise((resolve, reject) => {
      if (this.pending.living(key)?.version !== version) return resolve(false);
      this.pending.write(key, null, () => resolve(true), reject);
    });
  }
}
