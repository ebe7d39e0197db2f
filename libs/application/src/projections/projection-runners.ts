import { Inject, Injectable } from '@nestjs/common';
import { DomainError, resourceMissing } from '@domain/kernel/domain-error';
import { Clock } from '@ports/clock.port';
import { EventStore, type Position } from '@ports/event-store.port';
import { ReadModels } from '@ports/read-models.port';
import { Wanted } from '../read-models/flush-requests.js';
import { LinkedAbort } from '../runtime/linked-abort.js';
import { Hosted } from './hosted.js';
import { ProjectionRunner, type RunnerPorts } from './projection-runner.js';
import { Rebuilding } from './rebuilding.js';

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
  readonly skipped: number;
  /** Rows that the store did not take, from rebuilds either. */
  readonly refused: number;
  readonly restarts: number;
}

/** Every projection of this process: keeps its read model up to date, tells how it stands and rebuilds it. */
@Injectable()
export class ProjectionRunners {
  private readonly ports: RunnerPorts;
  private readonly runners: readonly ProjectionRunner[];
  private readonly rebuilds = new Map<string, Rebuilding>();
  private active: AbortSignal | null = null;

  constructor(store: EventStore, readModels: ReadModels, clock: Clock, wanted: Wanted, @Inject(Hosted) hosted: Hosted) {
    this.ports = { store, readModels, clock };
    this.runners = hosted.projections.map((projection) => new ProjectionRunner(projection, this.ports));
    for (const runner of this.runners) wanted.listen(runner.name, (position) => runner.hurry(position));
  }

  /** Makes room for the rows of all. Never rejects. */
  async define(): Promise<void> {
    await Promise.all(this.runners.map((runner) => runner.define()));
  }

  /** Projects, and rebuilds what it is asked to, until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    // A signal of their own: of more than ten listeners on one the runtime warns.
    const rebuilding = new LinkedAbort(signal);
    this.active = rebuilding.signal;
    await Promise.all(this.runners.map((runner) => runner.run(signal)));
    await Promise.all([...this.rebuilds.values()].map(({ finished }) => finished.catch(() => undefined)));
    rebuilding.unlink();
  }

  /** How every read model stands, in the order of the registry. */
  async status(): Promise<readonly ProjectionStatus[]> {
    const head = await this.ports.store.head();
    return Promise.all(this.runners.map((runner) => this.statusOf(runner, head)));
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

  private async statusOf(runner: ProjectionRunner, head: Position): Promise<ProjectionStatus> {
    const { name, lastProgressAt, skipped, refused, restarts } = runner;
    const checkpoint = await runner.checkpoint();
    const rebuilding = this.rebuilds.get(name);
    const rebuild = rebuilding ? { state: rebuilding.state, percent: rebuilding.percent } : null;
    const lagMs = checkpoint >= head ? 0 : await this.ageOfFirstAfter(checkpoint, head);
    return { name, checkpoint, head, lagMs, lastProgressAt, rebuild, skipped, refused, restarts: restarts.count };
  }

  /** How long ago the first event behind a position was appended; 0 when there is none up to the head. */
  private async ageOfFirstAfter(position: Position, head: Position): Promise<number> {
    // A signal of its own: of more than ten listeners on one the runtime warns.
    const { signal } = new AbortController();
    for await (const { events, upTo } of this.ports.store.subscribe(position, { signal, atOnce: 1 })) {
      const [first] = events;
      if (first) return Math.max(0, this.ports.clock.now() - first.event.at);
      if (upTo >= head) break;
    }
    return 0;
  }
}
