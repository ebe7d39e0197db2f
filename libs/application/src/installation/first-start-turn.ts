import { Injectable } from '@nestjs/common';
import { Clock } from '@ports/clock.port';
import { Engine } from '@ports/engine.port';
import { ExpiringRecords } from '@ports/expiring-records.port';

const RECORD = 'first-start';
const LEASE_MS = 15_000;

/** Of several gateways that start for the first time together, one makes the secrets; the others wait for it to finish or die. */
@Injectable()
export class FirstStartTurn {
  constructor(
    private readonly records: ExpiringRecords,
    private readonly engine: Engine,
    private readonly clock: Clock,
  ) {}

  async take(): Promise<boolean> {
    const now = this.clock.now();
    const { created, record } = await this.records.create(RECORD, String(now), now + LEASE_MS);
    if (created) return true;
    if (this.engine.isShared) return false;
    return (await this.records.replace(RECORD, record.version, String(now), now + LEASE_MS)) !== null;
  }
}
