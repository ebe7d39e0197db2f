import type { Clock } from '@ports/clock.port';
import { StoreUnavailable } from '@ports/event-store.port';
import { ExpiringRecords, type Creation, type ExpiringRecord } from '@ports/expiring-records.port';

/** Shared by all instances, so that no version repeats. */
let writes = 0;

/** Expiring records in memory. Instances over the same map stand for processes. */
export class FakeExpiringRecords extends ExpiringRecords {
  /** While true, writes are stored but reject: a store may hold a write that it rejected. */
  refusing = false;
  /** While true, every call rejects and does nothing. */
  away = false;

  constructor(
    private readonly clock: Clock,
    readonly all = new Map<string, ExpiringRecord>(),
  ) {
    super();
  }

  create(key: string, value: string, expiresAt: number): Promise<Creation> {
    if (this.away) return outOfReach();
    const present = this.living(key);
    if (present) return Promise.resolve({ created: false, record: present });
    const record = this.put(key, value, expiresAt);
    return this.refusing ? refused() : Promise.resolve({ created: true, record });
  }

  get(key: string): Promise<ExpiringRecord | null> {
    return this.away ? outOfReach() : Promise.resolve(this.living(key));
  }

  replace(key: string, version: string, value: string, expiresAt: number): Promise<ExpiringRecord | null> {
    if (this.away) return outOfReach();
    const present = this.living(key);
    const record = present?.version === version ? this.put(key, value, expiresAt) : null;
    return record && this.refusing ? refused() : Promise.resolve(record);
  }

  remove(key: string, version: string): Promise<boolean> {
    if (this.away) return outOfReach();
    return Promise.resolve(this.living(key)?.version === version && this.all.delete(key));
  }

  private living(key: string): ExpiringRecord | null {
    const record = this.all.get(key);
    return record && record.expiresAt > this.clock.now() ? record : null;
  }

  private put(key: string, value: string, expiresAt: number): ExpiringRecord {
    const record = { value, version: String(++writes), expiresAt };
    this.all.set(key, record);
    return record;
  }
}

function outOfReach(): Promise<never> {
  return Promise.reject(new StoreUnavailable('the records are out of reach'));
}

function refused(): Promise<never> {
  return Promise.reject(new StoreUnavailable('the disk is full'));
}
