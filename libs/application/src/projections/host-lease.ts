import { Injectable, Logger } from '@nestjs/common';
import { inTime } from '@kit/time';
import { Clock, pause } from '@ports/clock.port';
import { Engine } from '@ports/engine.port';
import { ExpiringRecords, type ExpiringRecord } from '@ports/expiring-records.port';
import { nameOf } from '@ports/failure';
import { Ids } from '@ports/ids.port';
import { LEASE_TIMES } from '../runtime/lease-times.js';
import { LinkedAbort } from '../runtime/linked-abort.js';
import { LogThrottle } from '../runtime/log-throttle.js';

const { lastsMs, renewedEveryMs, soughtEveryMs } = LEASE_TIMES;
/** A renewal and the look at what became of it take no longer than the time to the next one. */
const ANSWERED_WITHIN_MS = renewedEveryMs / 2;

/** A lease that lets one process of many do what only one may do. */
@Injectable()
export class HostLease {
  private readonly log = new Logger('lease');
  private readonly throttle: LogThrottle;
  private readonly holder: string;

  constructor(
    private readonly records: ExpiringRecords,
    private readonly engine: Engine,
    private readonly clock: Clock,
    ids: Ids,
  ) {
    this.holder = ids.uuid();
    this.throttle = new LogThrottle(clock);
  }

  /**
   * Runs `work` whenever this process holds the lease, again and again until the signal aborts; the signal given to
   * `work` also aborts when the lease is lost. It asks for the lease only while `mayHold`, and calls `onNotHeld` each time that it
   * does not get it. Never rejects unless one of them does. On an engine that no other process may use the lease is always held.
   */
  async whileHeld(
    name: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<void>,
    mayHold: () => Promise<boolean>,
    onNotHeld: () => void = () => undefined,
  ): Promise<void> {
    if (!this.engine.isShared) return work(signal);
    while (!signal.aborted) {
      const lease = await this.acquire(`lease:${name}`, mayHold);
      if (lease) {
        await this.hold(`lease:${name}`, lease, signal, work);
        continue;
      }
      onNotHeld();
      await pause(this.clock, soughtEveryMs, signal);
    }
  }

  /** The lease, or null when another process has it. */
  private async acquire(key: string, mayHold: () => Promise<boolean>): Promise<ExpiringRecord | null> {
    try {
      const found = await this.records.get(key);
      if (found?.value === this.holder) return found;
      if (!found && (await mayHold())) {
        const { created, record } = await this.records.create(key, this.holder, this.clock.now() + lastsMs);
        if (created) return record;
      }
      if (this.throttle.recovered()) this.log.warn(`${key} can be asked for again`);
    } catch (error) {
      if (this.throttle.shouldLog(error)) this.log.warn(`${key} cannot be asked for: ${nameOf(error)}`);
    }
    return null;
  }

  private async hold(key: string, lease: ExpiringRecord, signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>) {
    const end = new LinkedAbort(signal);
    this.log.debug(`${key} taken`);
    const renewing = this.renew(key, lease, end);
    try {
      await work(end.signal);
    } finally {
      end.abort();
      end.unlink();
      const last = await renewing;
      await this.release(key, last).catch(() => undefined);
    }
  }

  /** Renews until the end. Aborts the work when the lease is lost, or may run out before the next renewal. */
  private async renew(key: string, taken: ExpiringRecord, end: LinkedAbort): Promise<ExpiringRecord> {
    let lease = taken;
    while (!end.signal.aborted) {
      await pause(this.clock, renewedEveryMs, end.signal);
      if (end.signal.aborted) break;
      const renewed = await this.renewed(key, lease);
      if (renewed) lease = renewed;
      if (renewed !== null && this.clock.now() + renewedEveryMs < lease.expiresAt) continue;
      if (renewed === null) this.log.warn(`${key} lost to another process`);
      else this.log.log(`${key} given up: it could not be renewed in time`);
      end.abort();
    }
    return lease;
  }

  /**
   * The lease as it is stored now: renewed, or as before where the store does not answer in time. Null when another process has
   * it. What the store rejects, or answers too late, may hold all the same.
   */
  private async renewed(key: string, lease: ExpiringRecord): Promise<ExpiringRecord | null> {
    const renewing = this.records.replace(key, lease.version, this.holder, this.clock.now() + lastsMs);
    const renewed = await inTime(this.clock, ANSWERED_WITHIN_MS, renewing).catch(() => null);
    return renewed ?? inTime(this.clock, ANSWERED_WITHIN_MS, this.found(key), () => lease).catch(() => lease);
  }

  /** A renewal of unknown outcome may have given the lease another version. */
  private async release(key: string, { version }: ExpiringRecord): Promise<void> {
    if (await this.records.remove(key, version)) return;
    const found = await this.found(key);
    if (found) await this.records.remove(key, found.version);
  }

  private async found(key: string): Promise<ExpiringRecord | null> {
    const found = await this.records.get(key);
    return found?.value === this.holder ? found : null;
  }
}
