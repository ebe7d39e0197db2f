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
/** A renewal, including the check of an unclear one, must end before the next one starts. */
const ANSWERED_WITHIN_MS = renewedEveryMs / 2;

@Injectable()
export class HostLease {
  private readonly log = new Logger('lease');
  private readonly throttle: LogThrottle;
  /** Names this process in its leases. */
  readonly holder: string;

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
   * Runs `work` whenever this process holds the lease, until the signal aborts; `work`'s signal also aborts when the lease is
   * lost. Asks only while `mayHold`, and calls `onNotHeld` whenever refused. Never rejects unless one of them does.
   */
  async whileHeld(
    name: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<void>,
    mayHold: () => Promise<boolean> = () => Promise.resolve(true),
    onNotHeld: () => void = () => undefined,
  ): Promise<void> {
    if (this.isAlone) return work(signal);
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

  /** No other process may use the engine. */
  get isAlone(): boolean {
    return !this.engine.isShared;
  }

  /** The holder of the lease; null while there is none. */
  async holderOf(name: string): Promise<string | null> {
    return (await this.records.get(`lease:${name}`))?.value ?? null;
  }

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

  /** Aborts the work when the lease is lost, or may run out before the next renewal. */
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

  /** Null when another process has it. A renewal that is rejected or late may have succeeded, so it is read back. */
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
