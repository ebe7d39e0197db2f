import { Inject, Injectable } from '@nestjs/common';
import { resourceMissing } from '@domain/kernel/domain-error';
import { Clock } from '@ports/clock.port';
import { EventStore } from '@ports/event-store.port';
import { Ids } from '@ports/ids.port';
import { ReactorRunner } from '../reactors/reactor-runner.js';
import { SweeperRunner } from '../sweepers/sweeper-runner.js';
import { LinkedAbort } from '../runtime/linked-abort.js';
import { SkipRecorder } from '../skipped-events/skip-recorder.js';
import { TaskRunner } from '../tasks/task-runner.js';
import type { Retry } from './retries/hosted-components.js';
import { HostRegistry } from './host-registry.js';

@Injectable()
export class EffectRunners {
  private readonly reactors: readonly ReactorRunner[];
  private readonly sweepers: readonly SweeperRunner[];

  constructor(
    store: EventStore,
    clock: Clock,
    ids: Ids,
    @Inject(HostRegistry) hosted: HostRegistry,
    private readonly tasks: TaskRunner,
    skips: SkipRecorder,
  ) {
    this.reactors = hosted.reactors.map((reactor) => new ReactorRunner(reactor, { store, clock, ids, skips }));
    this.sweepers = hosted.sweepers.map((sweeper) => new SweeperRunner(sweeper, clock, ids));
  }

  /** Reacts, sweeps and runs tasks until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    // Sweepers share a signal of their own: Node warns about more than ten listeners on one.
    const sweeping = new LinkedAbort(signal);
    const reacting = this.reactors.map((runner) => runner.run(signal));
    await Promise.all([
      ...reacting,
      ...this.sweepers.map((runner) => runner.run(sweeping.signal)),
      this.tasks.run(sweeping.signal),
    ]);
    sweeping.unlink();
  }

  /** As `HostedComponents.retry`, of a reactor. */
  async retry(name: string, { record, taskId }: Retry, signal: AbortSignal): Promise<number> {
    const runner = this.reactors.find(({ reactor }) => reactor.name === name);
    if (!runner) throw resourceMissing('component');
    await runner.retry(record, taskId, signal);
    return 0;
  }

  waiting(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.reactors.map(({ reactor, waiting }) => [reactor.name, waiting]));
  }

  failures(): Readonly<Record<'skippedEvents' | 'restarts' | 'failedSweeps', Readonly<Record<string, number>>>> {
    return {
      skippedEvents: Object.fromEntries(this.reactors.map(({ reactor, skipped }) => [reactor.name, skipped])),
      restarts: Object.fromEntries(this.reactors.map(({ reactor, restarts }) => [reactor.name, restarts.count])),
      failedSweeps: Object.fromEntries(this.sweepers.map(({ sweeper, failures }) => [sweeper.name, failures])),
    };
  }
}
