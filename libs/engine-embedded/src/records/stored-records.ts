import type { ExpiringRecord } from '@ports/expiring-records.port';
import type { Reading } from '../database.js';

export class StoredRecords {
  private readonly find;
  private readonly any;

  constructor(db: Reading) {
    this.find = db.prepare('SELECT value, version, expires_at FROM expiring_records WHERE key = ?');
    this.any = db.prepare('SELECT 1 FROM expiring_records LIMIT 1');
  }

  get empty(): boolean {
    return this.any.get() === undefined;
  }

  get(key: string): ExpiringRecord | null {
    const found = this.find.get(key);
    if (!found) return null;
    const [value, version, expiresAt] = found as unknown as [string, string, number];
    return { value, version, expiresAt };
  }
}
