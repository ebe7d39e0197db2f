import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '@ports/clock.port';
import { ExpiringRecords } from '@ports/expiring-records.port';
import { DAY_MS } from '@ports/time-units';

const EVERY_MS = 60_000;
const KEPT_MS = 400 * DAY_MS;
const KEYS_CACHED = 10_000;

/** The last use of API keys, to the minute. Losing it loses only `last_used_at`. */
@Injectable()
export class KeyUsage {
  private readonly notedAt = new LRUCache<string, number>({ max: KEYS_CACHED });

  constructor(
    private readonly records: ExpiringRecords,
    private readonly clock: Clock,
  ) {}

  /** Never waits and never fails, because a request must not depend on it. */
  note(keyId: string): void {
    const now = this.clock.now();
    if (Math.abs(now - (this.notedAt.get(keyId) ?? -Infinity)) < EVERY_MS) return;
    this.notedAt.set(keyId, now);
    this.write(keyId, now).catch(() => undefined);
  }

  async lastUse(keyId: string): Promise<number | null> {
    const record = await this.records.get(recordOf(keyId));
    const noted = this.notedAt.get(keyId);
    const uses = [record && Number(record.value), noted].filter((at) => typeof at === 'number');
    return uses.length > 0 ? Math.max(...uses) : null;
  }

  private async write(keyId: string, now: number): Promise<void> {
    const { created, record } = await this.records.create(recordOf(keyId), String(now), now + KEPT_MS);
    if (!created) await this.records.replace(recordOf(keyId), record.version, String(now), now + KEPT_MS);
  }
}

function recordOf(keyId: string): string {
  return `key-use:${keyId}`;
}
