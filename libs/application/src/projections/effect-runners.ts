import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '@ports/clock.port';
import { EventStore } from '@ports/event-store.port';
import { Ids } from '@ports/ids.port';
import { ReactorRunner } from '../reactors/reactor-runner.js';
import { SweeperRunner } from '../sweepers/sweeper-runner.js';
import { Hosted } from './hosted.js';

/** What changes more than rows: every reactor and sweeper of this process. */
@Injectable()
export class EffectRunners {
  private readonly reactors: readonly ReactorRunner[];
  private readonly sweepers: readonly SweeperRunner[];

  constructor(store: EventStore, clock: Clock, ids: Ids, @Inject(Hosted) hosted: Hosted) {
    this.reactors = hosted.reactors.map((reactor) => new ReactorRunner(reactor, { store, clock, ids }));
    this.sweepers = hosted.sweepers.map((sweeper) => new SweeperRunner(sweeper, clock));
  }

  /** Reacts and sweeps until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([...this.reactors, ...this.sweepers].map((runner) => runner.run(signal)));
  }

  /** How many events each reactor has read and not handled yet. */
  waiting(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.reactors.map(({ reactor, waiting }) => [reactor.name, waiting]));
  }

  /** How many events each reactor skipped, how often it began again, and how many sweeps failed, since the process started. */
  failures(): Readonly<Record<'skippedEvents' | 'restarts' | 'failedSweeps', Readonly<Record<string, number>>>> {
    return {
      skippedEvents: Object.fromEntries(this.reactors.map(({ reactor, skipped }) => [reactor.name, skipped])),
      restarts: Object.fromEntries(this.reactors.map(({ reactor, restarts }) => [reactor.name, restarts.count])),
      failedSweeps: Object.fromEntries(this.sweepers.map(({ sweeper, failures }) => [sweeper.name, failures])),
    };
  }
}
