import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { LinkedAbort } from '../runtime/linked-abort.js';
import { Shutdown } from '../runtime/shutdown.js';
import { BesideHost, HOST_LEASE } from './beside-host.js';
import { EffectRunners } from './effect-runners.js';
import { HostLease } from './host-lease.js';
import { HostNotes, type Noted } from './standing/host-notes.js';
import { ProjectionRunners } from './projection-runners.js';
import { UnusedRows } from './unused-rows.js';

/** Runs every projection, reactor and sweeper, in one process at a time. */
@Injectable()
export class ProjectionsHost implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly end = new AbortController();
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly projections: ProjectionRunners,
    private readonly effects: EffectRunners,
    private readonly lease: HostLease,
    private readonly beside: BesideHost,
    private readonly shutdown: Shutdown,
    private readonly notes: HostNotes,
    private readonly unused: UnusedRows,
  ) {}

  /** Rows are readable once the start is over, unless another process has to define them. */
  onApplicationBootstrap(): Promise<void> {
    return new Promise((resolve) => {
      const work = (signal: AbortSignal) =>
        this.beside.standingAside(async () => {
          await this.projections.define();
          resolve();
          await this.work(signal);
        });
      const hosting = this.lease.whileHeld(HOST_LEASE, this.end.signal, work, undefined, resolve);
      this.running = Promise.all([hosting, this.lease.isAlone ? null : this.beside.run(this.end.signal)]);
    });
  }

  /** Projections run until the last request is answered: it may wait for a read model. */
  async beforeApplicationShutdown(): Promise<void> {
    this.end.abort();
    await this.running;
  }

  private noted(): Noted {
    const { lease, projections } = this;
    return { holder: lease.holder, columns: projections.columns(), hosted: () => projections.hosted() };
  }

  private async work(signal: AbortSignal): Promise<void> {
    const effects = new LinkedAbort(signal, this.shutdown.begun);
    await Promise.all([
      this.projections.run(signal),
      this.effects.run(effects.signal),
      this.notes.run('host', this.noted(), effects.signal),
      this.lease.isAlone ? null : this.unused.run(effects.signal),
    ]);
    effects.unlink();
  }
}
