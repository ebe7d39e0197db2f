import { Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DomainError } from '@domain/kernel/domain-error';
import { inTime } from '@kit/time';
import { pause, type Clock } from '@ports/clock.port';
import { EVER, type Engine } from '@ports/engine.port';
import { StoreUnavailable } from '@ports/event-store.port';
import type { ExpiringRecord, ExpiringRecords } from '@ports/expiring-records.port';
import { failureReason } from '@ports/failure';
import type { Ids } from '@ports/ids.port';
import { LEASE_TIMES } from '../runtime/lease-times.js';
import { LogThrottle } from '../runtime/log-throttle.js';
import {
  instancesText,
  isOlder,
  livingInstances,
  type InstanceRole,
  type LivingInstance,
  type RunningProgram,
} from './living-instances.js';

const RECORD = 'instances';
const TRIES = 10;
/** A lease ends within this, and an update soon after. */
const RETRY_AFTER_SECONDS = 10;

/** Renews this process's lease: what a process without one left open is taken over. A single-process engine has no leases. */
export class InstanceRegistry implements OnModuleInit, OnApplicationShutdown {
  /** Names this process in what it leaves open. */
  readonly id: string;
  private readonly log = new Logger('instances');
  private readonly throttle: LogThrottle;
  private readonly end = new AbortController();
  private renewing: Promise<void> = Promise.resolve();
  private known: readonly LivingInstance[] = [];
  private answers = true;
  /** Start of the unbroken time of answers, and the last answer, in `Clock.elapsed`. */
  private answeringSince = 0;
  private answeredAt = -Infinity;

  constructor(
    private readonly records: ExpiringRecords,
    private readonly engine: Engine,
    private readonly clock: Clock,
    ids: Ids,
    private readonly program: RunningProgram,
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

  /** Removes the lease, so that other processes take over this one's open work at once. */
  async onApplicationShutdown(): Promise<void> {
    if (this.isAlone) return;
    this.end.abort();
    await this.renewing;
    await this.change(null).catch(() => undefined);
  }

  /** What this process does. */
  get role(): InstanceRole {
    return this.program.role;
  }

  /** Whether no other process may use the engine. */
  get isAlone(): boolean {
    return !this.engine.isShared;
  }

  /** Open work without an owner that was stamped before this instant belongs to a dead process. */
  get unownedVoidBefore(): number {
    return this.isAlone ? EVER : 0;
  }

  /** How many gateways share the projects' limits; the last known number while the records are unreachable. */
  get gateways(): number {
    return Math.max(1, this.known.filter(({ role }) => role === 'gateway').length);
  }

  /** Whether the records did not answer the last request. Always false where this process is alone and does not ask. */
  get recordsAreAway(): boolean {
    return !this.answers;
  }

  /**
   * Those without a lease, and this process itself: it will not finish what it does not have in memory. Unreadable leases count
   * as alive, and so do all until the records have answered for a lease's length, since a living process may have been unable to
   * renew.
   */
  async gone(ids: Iterable<string>): Promise<ReadonlySet<string>> {
    const asked = new Set(ids);
    if (this.isAlone) return asked;
    const others = [...asked].filter((id) => id !== this.id);
    const living = others.length > 0 ? await this.withLease() : null;
    return new Set([...asked].filter((id) => id === this.id || (living !== null && !living.has(id))));
  }

  /** Whether the process with this id lives, this one included; true while that is unknown. */
  async lives(id: string): Promise<boolean> {
    if (id === this.id) return true;
    return !(await this.gone([id])).has(id);
  }

  /**
   * Whether a process of an older release lives, which may not know what this one stores. True while the records do not answer: one
   * may. Asks the records, so that a process counts from its start.
   */
  async olderLives(): Promise<boolean> {
    if (this.isAlone) return false;
    try {
      const living = this.livingIn(await this.records.get(RECORD));
      return living.some((each) => each.id !== this.id && isOlder(each, this.program.version));
    } catch {
      return true;
    }
  }

  /** Rejects with `service_unavailable` where `olderLives`. */
  async refuseBesideOlder(): Promise<void> {
    if (!(await this.olderLives())) return;
    const message = 'The service is being updated: processes of an older release still run. Try again.';
    throw new DomainError('service_unavailable', message, { retryAfter: RETRY_AFTER_SECONDS });
  }

  /** The ids of all processes with a lease; null while a missing lease proves nothing. */
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

  /** An answer that takes longer than the renewal interval counts as none until it comes. */
  private async renew(): Promise<void> {
    const cancel = this.clock.after(LEASE_TIMES.renewedEveryMs, () => (this.answers = false));
    try {
      this.note(await this.change({ id: this.id, ...this.program, leaseUntil: this.clock.now() + LEASE_TIMES.lastsMs }));
      if (this.throttle.recovered()) this.log.warn('the lease of this process is renewed again');
    } catch (error) {
      this.answers = false;
      if (this.throttle.shouldLog(error)) this.log.warn(`the lease of this process cannot be renewed: ${failureReason(error)}`);
    } finally {
      cancel();
    }
  }

  /** Replaces (null: removes) this process's lease and drops expired ones. Resolves to those that remain. */
  private async change(own: LivingInstance | null): Promise<readonly LivingInstance[]> {
    for (let tries = 0; tries < TRIES; tries++) {
      const found = await this.records.get(RECORD);
      const others = this.livingIn(found).filter(({ id }) => id !== this.id);
      const living = own ? [...others, own] : others;
      if (await this.write(found, living)) return living;
    }
    throw new StoreUnavailable('too many processes write the record of instances at once');
  }

  /** False when another process has written the record since it was read. It lasts as long as the longest lease in it. */
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
