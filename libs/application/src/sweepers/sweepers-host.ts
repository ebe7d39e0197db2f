import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import type { Clock } from '@ports/clock.port';
import type { Ids } from '@ports/ids.port';
import { LinkedAbort } from '../runtime/linked-abort.js';
import type { Shutdown } from '../runtime/shutdown.js';
import type { Sweeper } from '../runtime/sweeper.js';
import { SweeperRunner } from './sweeper-runner.js';

export class SweepersHost implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly runners: readonly SweeperRunner[];
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    sweepers: readonly Sweeper[],
    clock: Clock,
    ids: Ids,
    private readonly shutdown: Shutdown,
  ) {
    this.runners = sweepers.map((sweeper) => new SweeperRunner(sweeper, clock, ids));
  }

  onApplicationBootstrap(): void {
    const end = new LinkedAbort(this.shutdown.begun);
    this.running = Promise.all(this.runners.map((runner) => runner.run(end.signal))).finally(() => end.unlink());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.running;
  }
}
