import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { isOver, type Task } from '@domain/task/task';
import { Clock } from '@ports/clock.port';
import { EventStore, START, type Position } from '@ports/event-store.port';
import { ReadModels, type StoredCollection } from '@ports/read-models.port';
import { SkippedEventDirectory } from '../../skipped-events/skipped-event-directory.js';
import { namesOf, rebuildsOf } from '../rebuilds/rebuild-progress.js';
import { Rebuilds } from '../rebuilds/rebuilds.js';
import { type ColumnsByName, HostRecord, type HostedProjection, type HostingProcess, type HostRole } from './host-record.js';
import { lagAfter } from './lag-after.js';
import { ListProjections, type ProjectionStanding, type ProjectionState } from './projection-standing.js';

/** A projection that is less behind than this works, and has the newest events before it. */
const CATCHING_UP_BEYOND_MS = 5_000;
const NOTHING_STORED = { checkpoint: START, isRestored: false, rows: 0 };

interface Surroundings {
  readonly columns: ColumnsByName;
  readonly process: HostingProcess;
  readonly lives: boolean;
  readonly head: Position;
  readonly tasks: readonly Task[];
}

@QueryHandler(ListProjections)
export class ListProjectionsHandler implements IQueryHandler<ListProjections> {
  constructor(
    private readonly host: HostRecord,
    private readonly readModels: ReadModels,
    private readonly store: EventStore,
    private readonly rebuilds: Rebuilds,
    private readonly clock: Clock,
    private readonly skippedEvents: SkippedEventDirectory,
  ) {}

  async execute(): Promise<readonly ProjectionStanding[]> {
    const hosts = await this.host.read();
    const [head, tasks] = await Promise.all([this.store.head(), this.rebuilds.latest()]);
    // Read after the head: rows that are stored by then include it.
    const stored = await this.readModels.stored();
    const of = async (role: HostRole) => {
      const hosted = hosts[role];
      const lives = hosted !== undefined && (await this.host.lives(hosted.process));
      // The host stays listed after its end. Only the host rebuilds.
      if (!hosted || (role === 'beside' && !lives)) return [];
      const columns = await this.host.columns(role);
      const around = { process: hosted.process, lives, head, tasks: role === 'host' ? tasks : [], columns };
      return Promise.all(hosted.projections.map((each) => this.standing(each, storedOf(each, stored), around)));
    };
    return [...(await of('host')), ...(await of('beside'))];
  }

  private async standing(
    hosted: HostedProjection,
    stored: StoredCollection | undefined,
    { process, lives, head, tasks, columns }: Surroundings,
  ): Promise<ProjectionStanding> {
    const { name } = hosted;
    const { checkpoint, rows, isRestored } = stored ?? NOTHING_STORED;
    const lagMs = await lagAfter({ store: this.store, clock: this.clock }, checkpoint, head);
    const behindEvents = this.store.countBetween(checkpoint, head);
    const { unresolved } = await this.skippedEvents.load(name);
    const rebuild = rebuildOf(name, tasks);
    const isBehind = !isRestored || lagMs > CATCHING_UP_BEYOND_MS;
    const state = stateOf(lives, rebuild?.state === 'running', isBehind);
    return {
      ...hosted,
      unresolved: Object.keys(unresolved).length,
      state,
      checkpoint,
      head,
      lagMs,
      behindEvents,
      rows,
      columns: columns[name] ?? [],
      process,
      rebuild,
      lastRebuild: lastRebuildOf(name, tasks),
    };
  }
}

function storedOf({ name, version }: HostedProjection, all: readonly StoredCollection[]): StoredCollection | undefined {
  return all.find((each) => each.name === name && each.version === version);
}

function stateOf(lives: boolean, isRebuilding: boolean, isBehind: boolean): ProjectionState {
  if (!lives) return 'no_process';
  if (isRebuilding) return 'rebuilding';
  return isBehind ? 'catching_up' : 'live';
}

/** The tasks are newest first. */
function rebuildOf(name: string, tasks: readonly Task[]): ProjectionStanding['rebuild'] {
  const task = tasks.find((each) => namesOf(each).includes(name) && each.status !== 'cancelled');
  if (!task) return null;
  const progress = rebuildsOf(task)[name];
  if (progress?.completed_at) return { state: 'done', percent: 100 };
  return { state: isOver(task) ? 'failed' : 'running', percent: progress?.percent ?? 0 };
}

function lastRebuildOf(name: string, tasks: readonly Task[]): ProjectionStanding['lastRebuild'] {
  for (const task of tasks) {
    const progress = rebuildsOf(task)[name];
    if (progress?.completed_at) return { taskId: task.id, ...progress };
  }
  return null;
}
