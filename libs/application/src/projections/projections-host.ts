import { Inject, Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { DomainError, resourceMissing } from '@domain/kernel/domain-error';
import { Clock } from '@ports/clock.port';
import { EventStore, type Position } from '@ports/event-store.port';
import { Ids } from '@ports/ids.port';
import { ReadModels } from '@ports/read-models.port';
import type { Reactor } from '../reactors/reactor.js';
import { ReactorRunner } from '../reactors/reactor-runner.js';
import { LinkedAbort } from '../linked-abort.js';
import { Shutdown } from '../shutdown.js';
import type { Sweeper } from '../sweepers/sweeper.js';
import { SweeperRunner } from '../sweepers/sweeper-runner.js';
import { HostLease } from './host-lease.js';
import type { Projection } from './projection.js';
import { ProjectionRunner, type RunnerPorts } from './projection-runner.js';
import { Rebuilding } from './rebuilding.js';
import { Wanted } from './wanted.js';

/** Everything that follows the log or the clock. */
export abstract class Hosted {
  abstract readonly projections: readonly Projection[];
  abstract readonly reactors: readonly Reactor[];
  abstract readonly sweepers: readonly Sweeper[];
}

export interface ProjectionStatus {
  readonly name: string;
  readonly checkpoint: Position;
  readonly head: Position;
  /** At most how long ago the oldest event was appended that readers do not see yet; 0 when they see everything. */
  readonly lagMs: number;
  /** Epoch milliseconds of the last write. */
  readonly lastProgressAt: number;
  /** The last rebuild asked for since the process started. */
  readonly rebuild: { readonly state: Rebuilding['state']; readonly percent: number } | null;
  /** Events skipped since the process started, by rebuilds too. */
  readonly quarantined: number;
  /** Rows that the store did not take, from rebuilds either. */
  readonly refused: number;
  readonly restarts: number;
}

/** Runs every projection, reactor and sweeper of this process, as long as no other process does. */
@Injectable()
export class ProjectionsHost implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly ports: RunnerPorts;
  private readonly runners: readonly ProjectionRunner[];
  private readonly reactors: readonly ReactorRunner[];
  private readonly sweepers: readonly SweeperRunner[];
  private readonly rebuilds = new Map<string, Rebuilding>();
  private readonly end = new AbortController();
  private active: AbortSignal | null = null;
  private running: Promise<void> = Promise.resolve();

  constructor(
    store: EventStore,
    readModels: ReadModels,
    clock: Clock,
    ids: Ids,
    private readonly lease: HostLease,
    private readonly shutdown: Shutdown,
    wanted: Wanted,
    @Inject(Hosted) hosted: Hosted,
  ) {
    this.ports = { store, readModels, clock };
    this.runners = hosted.projections.map((projection) => new ProjectionRunner(projection, this.ports));
    for (const runner of this.runners) wanted.listen(runner.name, (position) => runner.hurry(position));
    this.reactors = hosted.reactors.map((reactor) => new ReactorRunner(reactor, { store, clock, ids }));
    this.sweepers = hosted.sweepers.map((sweeper) => new SweeperRunner(sweeper, clock));
  }

  async onApplicationBootstrap(): Promise<void> {
    await Promise.all(this.runners.map((runner) => runner.define()));
    this.running = this.lease.whileHeld('projections', this.end.signal, (signal) => this.work(signal));
  }

  /** Read models are kept up to date to the end: requests in flight may still wait for them. */
  async beforeApplicationShutdown(): Promise<void> {
    this.end.abort();
    await this.running;
  }

  /** How every read model stands, in the order of the registry. */
  async status(): Promise<readonly ProjectionStatus[]> {
    const head = await this.ports.store.head();
    return Promise.all(this.runners.map((runner) => this.statusOf(runner, head)));
  }

  /** How many events each reactor skipped, how often it began again, and how many sweeps failed, since the process started. */
  failures(): Readonly<Record<'reactors' | 'restarts' | 'sweepers', Readonly<Record<string, number>>>> {
    return {
      reactors: Object.fromEntries(this.reactors.map(({ reactor, quarantined }) => [reactor.name, quarantined])),
      restarts: Object.fromEntries(this.reactors.map(({ reactor, restarts }) => [reactor.name, restarts.count])),
      sweepers: Object.fromEntries(this.sweepers.map(({ sweeper, failures }) => [sweeper.name, failures])),
    };
  }

  /**
   * Starts building a read model anew beside the live one; `status` tells how far it is. Throws `resource_missing` for
   * an unknown name, `parameter_conflict` while one is under way, `service_unavailable` while another process hosts.
   */
  rebuild(name: string): Rebuilding {
    const runner = this.runners.find((candidate) => candidate.name === name);
    if (!runner) throw resourceMissing('projection', 'name');
    if (this.rebuilds.get(name)?.state === 'running') {
      throw new DomainError('parameter_conflict', `A rebuild of ${name} is under way.`, { param: 'name' });
    }
    if (!this.active || this.active.aborted) throw new DomainError('service_unavailable', 'Projections run elsewhere.');
    const rebuilding = new Rebuilding(runner, this.ports, this.active);
    this.rebuilds.set(name, rebuilding);
    return rebuilding;
  }

  private async work(signal: AbortSignal): Promise<void> {
    const effects = new LinkedAbort(signal, this.shutdown.begun);
    // A signal of their own: of more than ten listeners on one the runtime warns.
    const rebuilding = new LinkedAbort(signal);
    this.active = rebuilding.signal;
    await Promise.all([
      ...this.runners.map((runner) => runner.run(signal)),
      ...this.reactors.map((runner) => runner.run(effects.signal)),
      ...this.sweepers.map((runner) => runner.run(effects.signal)),
    ]);
    await Promise.all([...this.rebuilds.values()].map(({ finished }) => finished.catch(() => undefined)));
    effects.unlink();
    rebuilding.unlink();
  }

  private async statusOf(runner: ProjectionRunner, head: Position): Promise<ProjectionStatus> {
    const { name, lastProgressAt, quarantined, refused, restarts } = runner;
    const checkpoint = await runner.checkpoint();
    const rebuilding = this.rebuilds.get(name);
    const rebuild = rebuilding ? { state: rebuilding.state, percent: rebuilding.percent } : null;
    const lagMs = checkpoint >= head ? 0 : await this.ageOfFirstAfter(checkpoint, head);
    return { name, checkpoint, head, lagMs, lastProgressAt, rebuild, quarantined, refused, restarts: restarts.count };
  }

  /** How long ago the first event behind a position was appended; 0 when there is none up to the head. */
  private async ageOfFirstAfter(position: Position, head: Position): Promise<number> {
    // A signal of its own: of more than ten listeners on one the runtime warns.
    const { signal } = new AbortController();
    for await (const { events, upTo } of this.ports.store.subscribe(position, { signal })) {
      const [first] = events;
      if (first) return Math.max(0, this.ports.clock.now() - first.event.at);
      if (upTo >= head) break;
    }
    return 0;
  }
}
