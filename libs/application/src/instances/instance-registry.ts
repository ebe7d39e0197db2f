import { Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { inTime } from '@kit/time';
import { pause, type Clock } from '@ports/clock.port';
import { EVER, type Engine } from '@ports/engine.port';
import { StoreUnavailable } from '@ports/event-store.port';
import type { ExpiringRecord, ExpiringRecords } from '@ports/expiring-records.port';
import { failureReason } from '@ports/failure';
import type { Ids } from '@ports/ids.port';
import { LEASE_TIMES } from '../runtime/lease-times.js';
import { LogThrottle } from '../runtime/log-throttle.js';
import { instancesText, livingInstances, type InstanceRole, type LivingInstance } from './living-instances.js';

/** All living instances stand in this one record. */
const RECORD = 'instances';
/** How often a change is tried anew because another process has changed the record first. */
const TRIES = 10;

/**
 * Renews the lease of this process, and tells which other processes have one. Any process may take over what a process without
 * a lease has left open. An engine that admits one process needs no leases, and stores none.
 */
export class InstanceRegistry implements OnModuleInit, OnApplicationShutdown {
  /** Names this process in what it leaves open. */
  readonly id: string;
  private readonly log = new Logger('instances');
  private readonly throttle: LogThrottle;
  private readonly end = new AbortController();
  private renewing: Promise<void> = Promise.resolve();
  private known: readonly LivingInstance[] = [];
  /** Whether the records answered when they were last asked. */
  private answers = true;
  /** Since when they have answered without a break, and when they last did, as `Clock.elapsed` counts. */
  private answeringSince = 0;
  private answeredAt = -Infinity;

  constructor(
    private readonly records: ExpiringRecords,
    private readonly engine: Engine,
    private readonly clock: Clock,
    ids: Ids,
    private readonly role: InstanceRole,
  ) {
    this.id = ids.uuid();
    this.throttle = new LogThrottle(clock);
  }

  /** Writes the first lease before the process opens any work, if the records answer in time. */
  async onModuleInit(): Promise<void> {
    if (this.isAlone) return;
    const first = this.renew();
    await inTime(this.clock, LEASE_TIMES.renewedEveryMs, first);
    this.renewing = first.then(() => this.renewUntilEnd());
  }

  /** Removes the lease, so that other processes take over at once what this one has left open. */
  async onApplicationShutdown(): Promise<void> {
    if (this.isAlone) return;
    this.end.abort();
    await this.renewing;
    await this.change(null).catch(() => undefined);
  }

  /** Whether no other process may use the engine. */
  get isAlone(): boolean {
    return !this.engine.isShared;
  }

  /** Open work that names no owner, and was stamped before this instant, belongs to a dead process: all where none is beside. */
  get unownedVoidBefore(): number {
    return this.isAlone ? EVER : 0;
  }

  /** How many gateways share what each project may ask for; the last known number while the records are away. */
  get gateways(): number {
    return Math.max(1, this.known.filter(({ role }) => role === 'gateway').length);
  }

  /** Whether the records did not answer when they were last asked. Never where this process is alone, and does not ask. */
  get recordsAreAway(): boolean {
    return !this.answers;
  }

  /**
   * Those of these instances that have no lease, and this one itself: what it does not have under way in memory, it will not
   * finish. A lease that cannot be read is a living one, and so is every lease until the records have answered for as long as
   * one lasts: before that, a living process may not have had the time to renew its own.
   */
  async gone(ids: Iterable<string>): Promise<ReadonlySet<string>> {
    const asked = new Set(ids);
    if (this.isAlone) return asked;
    const others = [...asked].filter((id) => id !== this.id);
    const living = others.length > 0 ? await this.withLease() : null;
    return new Set([...asked].filter((id) => id === this.id || (living !== null && !living.has(id))));
  }

  /** The ids of all processes with a lease; null while leases that are missing prove nothing. */
  private async withLease(): Promise<ReadonlySet<string> | null> {
    try {
      const found = await this.records.get(RECORD);
      this.note(this.livingIn(found));
    } catch {
      this.answers = false;
      return null;
    }
    if (this.clock.elapsed() - this.answeringSince < LEASE_TIMES.lastsMs) return null;
    return new Set(this.known.map(({ id }) => id));
  }

  private async renewUntilEnd(): Promise<void> {
    while (!this.end.signal.aborted) {
      await pause(this.clock, LEASE_TIMES.renewedEveryMs, this.end.signal);
      if (!this.end.signal.aborted) await this.renew();
    }
  }

  /** An answer that takes longer than the time between two renewals counts as none until it comes. */
  private async renew(): Promise<void> {
    const cancel = this.clock.after(LEASE_TIMES.renewedEveryMs, () => (this.answers = false));
    try {
      const { id, role } = this;
      this.note(await this.change({ id, role, leaseUntil: this.clock.now() + LEASE_TIMES.lastsMs }));
      if (this.throttle.recovered()) this.log.warn('the lease of this process is renewed again');
    } catch (error) {
      this.answers = false;
      if (this.throttle.shouldLog(error)) this.log.warn(`the lease of this process cannot be renewed: ${failureReason(error)}`);
    } finally {
      cancel();
    }
  }

  /** Replaces the lease of this process, or removes it when null, and drops leases that are over. Resolves to those that remain. */
  private async change(own: LivingInstance | null): Promise<readonly LivingInstance[]> {
    for (let tries = 0; tries < TRIES; tries++) {
      const found = await this.records.get(RECORD);
      const others = this.livingIn(found).filter(({ id }) => id !== this.id);
      const living = own ? [...others, own] : others;
      if (await this.write(found, living)) return living;
    }
    throw new StoreUnavailable('too many processes write the record of instances at once');
  }

  /** Whether nobody else has written the record since it was read. It lasts as long as the longest lease in it. */
  private async write(found: ExpiringRecord | null, living: readonly LivingInstance[]): Promise<boolean> {
    if (living.length === 0) return found === null || this.records.remove(RECORD, found.version);
    const [text, until] = [instancesText(living), Math.max(...living.map(({ leaseUntil }) => leaseUntil))];
    if (found) return (await this.records.replace(RECORD, found.version, text, until)) !== null;
    return (await this.records.create(RECORD, text, until)).created;
  }

  private livingIn(found: ExpiringRecord | null): readonly LivingInstance[] {
    return found ? livingInstances(found.value, this.clock.now()) : [];
  }

  private note(living: readonly LivingInstance[]): void {
    const now = this.clock.elapsed();
    if (!this.answers || now - this.answeredAt > LEASE_TIMES.lastsMs) this.answeringSince = now;
    this.answers = true;
    this.answeredAt = now;
    this.known = living;
  }
}
