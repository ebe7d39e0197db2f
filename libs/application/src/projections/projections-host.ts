import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { LinkedAbort } from '../runtime/linked-abort.js';
import { Shutdown } from '../runtime/shutdown.js';
import { EffectRunners } from './effect-runners.js';
import { HostLease } from './host-lease.js';
import { ProjectionRunners } from './projection-runners.js';

/** Runs every projection, reactor and sweeper, in one process at a time. */
@Injectable()
export class ProjectionsHost implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly end = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly projections: ProjectionRunners,
    private readonly effects: EffectRunners,
    private readonly lease: HostLease,
    private readonly shutdown: Shutdown,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.projections.define();
    this.running = this.lease.whileHeld('projections', this.end.signal, (signal) => this.work(signal));
  }

  /** Projections run until the last request is answered: it may wait for a read model. */
  async beforeApplicationShutdown(): Promise<void> {
    this.end.abort();
    await this.running;
  }

  private async work(signal: AbortSignal): Promise<void> {
    const effects = new LinkedAbort(signal, this.shutdown.begun);
    await Promise.all([this.projections.run(signal), this.effects.run(effects.signal)]);
    effects.unlink();
  }
}
