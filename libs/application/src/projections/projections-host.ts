import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { SchemaReadiness } from '../read-models/schema-readiness.js';
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
    private readonly schemas: SchemaReadiness,
    private readonly shutdown: Shutdown,
  ) {}

  /** Rows can be read once the start is over, unless another process has to define them. */
  onApplicationBootstrap(): Promise<void> {
    return new Promise((resolve) => {
      const work = async (signal: AbortSignal) => {
        await this.projections.define();
        resolve();
        await this.work(signal);
      };
      const mayHold = () => this.schemas.noneIsNewer();
      this.running = this.lease.whileHeld('projections', this.end.signal, work, mayHold, resolve);
    });
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
