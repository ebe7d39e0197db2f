import { Injectable } from '@nestjs/common';
import { pause, Clock } from '@ports/clock.port';
import { LinkedAbort } from '../runtime/linked-abort.js';
import { HostLease } from './host-lease.js';
import { ProjectionRunners } from './projection-runners.js';
import { HostNotes, type Noted } from './standing/host-notes.js';
import { HostRecord } from './standing/host-record.js';

/** The lease of the host, which alone reacts, sweeps and works on tasks. */
export const HOST_LEASE = 'projections';
const LOOKS_EVERY_MS = 1_000;

/**
 * Runs the projections that the host does not know in this program's version, beside it: while a release replaces another, the rows of
 * both follow the log.
 */
@Injectable()
export class BesideHost {
  /** The holder of the host's lease that was there at the last look: a new one may not have published yet what it runs. */
  private seen: string | null = null;
  private isHost = false;
  private current: { readonly end: LinkedAbort; readonly ended: Promise<void> } | null = null;

  constructor(
    private readonly projections: ProjectionRunners,
    private readonly lease: HostLease,
    private readonly record: HostRecord,
    private readonly notes: HostNotes,
    private readonly clock: Clock,
  ) {}

  /** Until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const name = `${HOST_LEASE}:${this.projections.versions.join()}`;
    const mayHold = async () => (await this.lacking()).length > 0;
    await this.lease.whileHeld(name, signal, (held) => this.work(held), mayHold);
  }

  /** Runs `work`, as the host: nothing else runs beside it in this process. */
  async standingAside<T>(work: () => Promise<T>): Promise<T> {
    this.isHost = true;
    try {
      this.current?.end.abort();
      await this.current?.ended;
      return await work();
    } finally {
      this.isHost = false;
    }
  }

  private async work(held: AbortSignal): Promise<void> {
    const names = await this.lacking().catch(() => []);
    // This process may have become the host meanwhile.
    if (names.length === 0 || this.isHost) return;
    const end = new LinkedAbort(held);
    const ended = this.follow(names, end);
    this.current = { end, ended };
    await ended;
    this.current = null;
    end.unlink();
  }

  /** As long as the host lacks the same ones. */
  private async follow(names: readonly string[], { signal, abort }: LinkedAbort): Promise<void> {
    await this.projections.define(names);
    const running = [this.projections.runSome(names, signal), this.notes.run('beside', this.noted(names), signal)];
    while (!signal.aborted) {
      await pause(this.clock, LOOKS_EVERY_MS, signal);
      const lacking = await this.lacking().catch(() => names);
      if (lacking.join() !== names.join()) abort();
    }
    await Promise.all(running);
  }

  private noted(names: readonly string[]): Noted {
    const { lease, projections } = this;
    return { holder: lease.holder, columns: projections.columns(names), hosted: () => projections.hosted(names) };
  }

  /** Names of this program's projections that another process, which is the host, does not run in the same version. */
  private async lacking(): Promise<readonly string[]> {
    if (this.isHost) return [];
    const holder = await this.lease.holderOf(HOST_LEASE);
    const isNew = holder !== this.seen;
    this.seen = holder;
    if (holder === null || holder === this.lease.holder || isNew) return [];
    const { host } = await this.record.read();
    // A host of a release without this record reads and writes rows under other names.
    const known = host?.holder === holder ? host.projections.map(({ name, version }) => `${name}@${version}`) : [];
    return this.projections.names.filter((_, index) => !known.includes(this.projections.versions[index] ?? ''));
  }
}
