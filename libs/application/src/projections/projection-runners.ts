import { Inject, Injectable } from '@nestjs/common';
import { DomainError, resourceMissing } from '@domain/kernel/domain-error';
import type { Position } from '@ports/event-store.port';
import { FlushRequests } from '../read-models/flush-requests.js';
import { LinkedAbort } from '../runtime/linked-abort.js';
import { describedColumns } from './columns/columns-of.js';
import { HostRegistry } from './host-registry.js';
import { lagAfter } from './standing/lag-after.js';
import { ProjectionRunner, RunnerPorts } from './projection-runner.js';
import { ReadModelRebuild } from './read-model-rebuild.js';
import type { Retry } from './retries/hosted-components.js';
import { ProjectionRetry } from './retries/projection-retry.js';
import type { ColumnsByName, HostedProjection } from './standing/host-record.js';

export interface ProjectionStatus {
  readonly name: string;
  readonly checkpoint: Position;
  readonly head: Position;
  /** The age of the oldest event that readers do not see yet, at most; 0 when they see everything. */
  readonly lagMs: number;
  readonly lastProgressAt: number;
  readonly rebuild: { readonly state: ReadModelRebuild['state']; readonly percent: number } | null;
  readonly skipped: number;
  readonly refused: number;
  readonly restarts: number;
}

@Injectable()
export class ProjectionRunners {
  private readonly runners: readonly ProjectionRunner[];
  private readonly rebuilds = new Map<string, ReadModelRebuild>();
  private active: AbortSignal | null = null;

  constructor(
    @Inject(RunnerPorts) private readonly ports: RunnerPorts,
    flushRequests: FlushRequests,
    @Inject(HostRegistry) hosted: HostRegistry,
  ) {
    this.runners = hosted.projections.map((projection) => new ProjectionRunner(projection, this.ports));
    for (const runner of this.runners) flushRequests.listen(runner.name, (position) => runner.flushUpTo(position));
  }

  /** Whether this process projects at present. */
  get isHosting(): boolean {
    return this.active !== null && !this.active.aborted;
  }

  /** The projections of this program, in its order. */
  get names(): readonly string[] {
    return this.runners.map(({ name }) => name);
  }

  /** Which rows each of them makes. */
  get versions(): readonly string[] {
    return this.runners.map(({ name, projection }) => `${name}@${projection.schema.version}`);
  }

  /** Never rejects. */
  async define(names = this.names): Promise<void> {
    await Promise.all(this.of(names).map((runner) => runner.define()));
  }

  /** Projects, and rebuilds on request, until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    this.active = signal;
    await this.runSome(this.names, signal);
    await Promise.all([...this.rebuilds.values()].map(({ finished }) => finished.catch(() => undefined)));
  }

  /** Projects these until the signal aborts, beside the process that runs the rest. Never rejects. */
  async runSome(names: readonly string[], signal: AbortSignal): Promise<void> {
    await Promise.all(this.of(names).map((runner) => runner.run(signal)));
  }

  /** What other processes see. */
  hosted(names = this.names): readonly HostedProjection[] {
    return this.of(names).map(({ name, projection, lastProgressAt, skipped, restarts }) => {
      const { version } = projection.schema;
      return { name, version, lastProgressAt, skipped, restarts: restarts.count };
    });
  }

  columns(names = this.names): ColumnsByName {
    return Object.fromEntries(this.of(names).map(({ name, projection }) => [name, describedColumns(projection)]));
  }

  async status(): Promise<readonly ProjectionStatus[]> {
    const head = await this.ports.store.head();
    return Promise.all(this.runners.map((runner) => this.statusOf(runner, head)));
  }

  /**
   * Until one of the signals aborts: the given one, or that of this process as host. Throws `resource_missing`, `parameter_conflict`
   * while a rebuild runs, `service_unavailable` while another process hosts.
   */
  rebuild(name: string, signal?: AbortSignal): ReadModelRebuild {
    const runner = this.runners.find((candidate) => candidate.name === name);
    if (!runner) throw resourceMissing('projection', 'name');
    if (this.rebuilds.get(name)?.state === 'running') {
      throw new DomainError('parameter_conflict', `A rebuild of ${name} is under way.`, { param: 'name' });
    }
    if (!this.active || this.active.aborted) throw new DomainError('service_unavailable', 'Projections run elsewhere.');
    const end = new LinkedAbort(this.active, ...(signal ? [signal] : []));
    const rebuilding = new ReadModelRebuild(runner, this.ports, end.signal);
    this.rebuilds.set(name, rebuilding);
    void rebuilding.finished.catch(() => undefined).then(() => end.unlink());
    return rebuilding;
  }

  /** Whether there is such a projection in this process. */
  has(name: string): boolean {
    return this.runners.some((runner) => runner.name === name);
  }

  /** As `HostedComponents.retry`. */
  retry(name: string, retry: Retry, signal: AbortSignal): Promise<number> {
    const runner = this.runners.find((candidate) => candidate.name === name);
    if (!runner) throw resourceMissing('component');
    const rebuild = async () => {
      const rebuilding = this.rebuild(name, signal);
      await rebuilding.finished;
      return rebuilding.rows;
    };
    return new ProjectionRetry(runner, this.ports, rebuild).run(retry);
  }

  private of(names: readonly string[]): readonly ProjectionRunner[] {
    return this.runners.filter(({ name }) => names.includes(name));
  }

  private async statusOf(runner: ProjectionRunner, head: Position): Promise<ProjectionStatus> {
    const { name, lastProgressAt, skipped, refused, restarts } = runner;
    const checkpoint = await runner.checkpoint();
    const rebuilding = this.rebuilds.get(name);
    const rebuild = rebuilding ? { state: rebuilding.state, percent: rebuilding.percent } : null;
    const lagMs = await lagAfter(this.ports, checkpoint, head);
    return { name, checkpoint, head, lagMs, lastProgressAt, rebuild, skipped, refused, restarts: restarts.count };
  }
}
