import { Inject, Injectable } from '@nestjs/common';
import { DomainError, resourceMissing } from '@domain/kernel/domain-error';
import { Clock } from '@ports/clock.port';
import { Engine } from '@ports/engine.port';
import { EventStore, type Position } from '@ports/event-store.port';
import { ReadModels } from '@ports/read-models.port';
import { FlushRequests } from '../read-models/flush-requests.js';
import { HostRegistry } from './host-registry.js';
import { ProjectionRunner, type RunnerPorts } from './projection-runner.js';
import { ReadModelRebuild } from './read-model-rebuild.js';

export interface ProjectionStatus {
  readonly name: string;
  readonly checkpoint: Position;
  readonly head: Position;
  /** The age of the oldest event that readers do not see yet, at most; 0 when they see everything. */
  readonly lagMs: number;
  /** Epoch milliseconds of the last write. */
  readonly lastProgressAt: number;
  /** The last rebuild asked for since the process started. */
  readonly rebuild: { readonly state: ReadModelRebuild['state']; readonly percent: number } | null;
  /** Events skipped since the process started, also by rebuilds. */
  readonly skipped: number;
  /** Rows that the store refused, also of rebuilds. */
  readonly refused: number;
  readonly restarts: number;
}

/** Runs every projection of this process, reports their status and rebuilds their read models. */
@Injectable()
export class ProjectionRunners {
  private readonly ports: RunnerPorts;
  private readonly runners: readonly ProjectionRunner[];
  private readonly rebuilds = new Map<string, ReadModelRebuild>();
  private active: AbortSignal | null = null;

  constructor(
    store: EventStore,
    readModels: ReadModels,
    clock: Clock,
    flushRequests: FlushRequests,
    engine: Engine,
    @Inject(HostRegistry) hosted: HostRegistry,
  ) {
    this.ports = { store, readModels, clock, isAlone: !engine.isShared };
    this.runners = hosted.projections.map((projection) => new ProjectionRunner(projection, this.ports));
    for (const runner of this.runners) flushRequests.listen(runner.name, (position) => runner.flushUpTo(position));
  }

  /** Defines every collection. Never rejects. */
  async define(): Promise<void> {
    await Promise.all(this.runners.map((runner) => runner.define()));
  }

  /** Projects, and rebuilds on request, until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    this.active = signal;
    await Promise.all(this.runners.map((runner) => runner.run(signal)));
    await Promise.all([...this.rebuilds.values()].map(({ finished }) => finished.catch(() => undefined)));
  }

  /** The status of every read model, in the order of the registry. */
  async status(): Promise<readonly ProjectionStatus[]> {
    const head = await this.ports.store.head();
    return Promise.all(this.runners.map((runner) => this.statusOf(runner, head)));
  }

  /**
   * Starts building a read model anew beside the live one; `status` tells how far it is. Throws `resource_missing` for
   * an unknown name, `parameter_conflict` while one is under way, `service_unavailable` while another process hosts.
   */
  rebuild(name: string): ReadModelRebuild {
    const runner = this.runners.find((candidate) => candidate.name === name);
    if (!runner) throw resourceMissing('projection', 'name');
    if (this.rebuilds.get(name)?.state === 'running') {
      throw new DomainError('parameter_conflict', `A rebuild of ${name} is under way.`, { param: 'name' });
    }
    if (!this.active || this.active.aborted) throw new DomainError('service_unavailable', 'Projections run elsewhere.');
    const rebuilding = new ReadModelRebuild(runner, this.ports, this.active);
    this.rebuilds.set(name, rebuilding);
    return rebuilding;
  }

  private async statusOf(runner: ProjectionRunner, head: Position): Promise<ProjectionStatus> {
    const { name, lastProgressAt, skipped, refused, restarts } = runner;
    const checkpoint = await runner.checkpoint();
    const rebuilding = this.rebuilds.get(name);
    const rebuild = rebuilding ? { state: rebuilding.state, percent: rebuilding.percent } : null;
    const lagMs = checkpoint >= head ? 0 : await this.ageOfFirstAfter(checkpoint, head);
    return { name, checkpoint, head, lagMs, lastProgressAt, rebuild, skipped, refused, restarts: restarts.count };
  }

  /** The age of the first event after a position; 0 when there is none up to the head. */
  private async ageOfFirstAfter(position: Position, head: Position): Promise<number> {
    // Each call has a signal of its own: Node warns about more than ten listeners on one.
    const { signal } = new AbortController();
    for await (const { events, upTo } of this.ports.store.subscribe(position, { signal, atOnce: 1 })) {
      const [first] = events;
      if (first) return Math.max(0, this.ports.clock.now() - first.event.at);
      if (upTo >= head) break;
    }
    return 0;
  }
}
