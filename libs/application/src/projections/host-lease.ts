import { Injectable, Logger } from '@nestjs/common';
import { Clock, pause } from '@ports/clock.port';
import { Engine } from '@ports/engine.port';
import { ExpiringRecords, type ExpiringRecord } from '@ports/expiring-records.port';
import { nameOf } from '@ports/failure';
import { Ids } from '@ports/ids.port';
import { LinkedAbort } from '../runtime/linked-abort.js';

const LEASE_MS = 10_000;
const RENEW_MS = 3_000;
const RETRY_MS = 1_000;

/** A lease that lets one process of many do what only one may do. */
@Injectable()
export class HostLease {
  private readonly log = new Logger('lease');
  private readonly holder: string;

  constructor(
    private readonly records: ExpiringRecords,
    private readonly engine: Engine,
    private readonly clock: Clock,
    ids: Ids,
  ) {
    this.holder = ids.uuid();
  }

  /**
   * Runs `work` whenever this process holds the lease, again and again until the signal aborts; the signal given to
   * `work` also aborts when the lease is lost. Never rejects unless `work` does.
   */
  async whileHeld(name: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (this.engine.leasesVoidBefore > 0) return work(signal);
    while (!signal.aborted) {
      const lease = await this.acquire(`lease:${name}`, signal);
      if (lease) await this.hold(`lease:${name}`, lease, signal, work);
    }
  }

  /** The lease, or null after a short wait when another process has it. */
  private async acquire(key: string, signal: AbortSignal): Promise<ExpiringRecord | null> {
    try {
      const creation = await this.records.create(key, this.holder, this.clock.now() + LEASE_MS);
      if (creation.created || creation.record.value === this.holder) return creation.record;
    } catch (error) {
      this.log.warn(`${key} cannot be asked for: ${nameOf(error)}`);
    }
    await pause(this.clock, RETRY_MS, signal);
    return null;
  }

  private async hold(key: string, lease: ExpiringRecord, signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>) {
    const end = new LinkedAbort(signal);
    this.log.log(`${key} taken`);
    const renewing = this.renew(key, lease, end);
    try {
      await work(end.signal);
    } finally {
      end.abort();
      end.unlink();
      const last = await renewing;
      await this.records.remove(key, last.version).catch(() => false);
    }
  }

  /** Renews until the end. Aborts the work when the lease is lost, or may run out before the next renewal. */
  private async renew(key: string, taken: ExpiringRecord, end: LinkedAbort): Promise<ExpiringRecord> {
    let lease = taken;
    while (!end.signal.aborted) {
      await pause(this.clock, RENEW_MS, end.signal);
      if (end.signal.aborted) break;
      const renewed = await this.records.replace(key, lease.version, this.holder, this.clock.now() + LEASE_MS).catch(nameOf);
      if (renewed !== null && typeof renewed === 'object') lease = renewed;
      else if (renewed === null || this.clock.now() + RENEW_MS >= lease.expiresAt) {
        this.log.warn(`${key} lost`);
        end.abort();
      }
    }
    return lease;
  }
}
