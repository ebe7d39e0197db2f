import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '@ports/clock.port';
import { EventStore } from '@ports/event-store.port';
import { Ids } from '@ports/ids.port';
import { ReactorRunner } from '../reactors/reactor-runner.js';
import { SweeperRunner } from '../sweepers/sweeper-runner.js';
import { LinkedAbort } from '../runtime/linked-abort.js';
import { HostRegistry } from './host-registry.js';

/** Runs every reactor and sweeper of this process. */
@Injectable()
export class EffectRunners {
  private readonly reactors: readonly ReactorRunner[];
  private readonly sweepers: readonly SweeperRunner[];

  constructor(store: EventStore, clock: Clock, ids: Ids, @Inject(HostRegistry) hosted: HostRegistry) {
    this.reactors = hosted.reactors.map((reactor) => new ReactorRunner(reactor, { store, clock, ids }));
    this.sweepers = hosted.sweepers.map((sweeper) => new SweeperRunner(sweeper, clock, ids));
  }

  /** Reacts and sweeps until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    // Sweepers share a signal of their own: Node warns about more than ten listeners on one.
    const sweeping = new LinkedAbort(signal);
    const reacting = this.reactors.map((runner) => runner.run(signal));
    await Promise.all([...reacting, ...this.sweepers.map((runner) => runner.run(sweeping.signal))]);
    sweeping.unlink();
  }

  /** By reactor, the events it has read and not handled yet. */
  waiting(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.reactors.map(({ reactor, waiting }) => [reactor.name, waiting]));
  }

  /** Counts since the process started: by reactor, events skipped and restarts; by sweeper, failed sweeps. */
  failures(): Readonly<Record<'skippedEvents' | 'restarts' | 'failedSweeps', Readonly<Record<string, number>>>> {
    return {
      skippedEvents: Object.fromEntries(this.reactors.map(({ reactor, skipped }) => [reactor.name, skipped])),
      restarts: Object.fromEntries(this.reactors.map(({ reactor, restarts }) => [reactor.name, restarts.count])),
      failedSweeps: Object.fromEntries(this.sweepers.map(({ sweeper, failures }) => [sweeper.name, failures])),
    };
  }
}
