import { Module, type DynamicModule, type ModuleMetadata, type Provider, type Type } from '@nestjs/common';
import { Clock } from '@ports/clock.port';
import { EventStore } from '@ports/event-store.port';
import { Ids } from '@ports/ids.port';
import { ReadModels } from '@ports/read-models.port';
import { Tracer } from '@ports/tracer.port';
import { ListsModule } from '../read-models/lists.module.js';
import type { Reactor } from '../runtime/reactor.js';
import type { Sweeper } from '../runtime/sweeper.js';
import { SkipRecorder } from '../skipped-events/skip-recorder.js';
import { SkippedEventsModule } from '../skipped-events/skipped-events.module.js';
import { TaskDirectory } from '../tasks/task-directory.js';
import type { TaskKind } from '../tasks/task-kind.js';
import { TaskRunner } from '../tasks/task-runner.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { BesideHost } from './beside-host.js';
import { EffectRunners } from './effect-runners.js';
import { HostLease } from './host-lease.js';
import { HostRegistry } from './host-registry.js';
import { RunnerPorts } from './projection-runner.js';
import { ProjectionRunners } from './projection-runners.js';
import { ProjectionsHost } from './projections-host.js';
import { PROJECTIONS } from './projections.js';
import { SkippedEventRetryTask } from './retries/skipped-event-retry-task.js';
import { RebuildTask } from './rebuilds/rebuild-task.js';
import { SchemasModule } from './schemas.module.js';
import { HostNotes } from './standing/host-notes.js';
import { UnusedRows } from './unused-rows.js';
import { ProjectionStandingModule } from './standing/projection-standing.module.js';

export interface ProjectionsOptions {
  readonly imports?: ModuleMetadata['imports'];
  readonly reactors: readonly Type<Reactor>[];
  readonly sweepers: readonly Type<Sweeper>[];
  readonly taskKinds?: readonly Type<TaskKind>[];
  /** The provider of `HostedProjections`: the runners of this module, found when asked, as they run the tasks that ask. */
  readonly hostedProjections: Provider;
  /** Likewise of `HostedComponents`. */
  readonly hostedComponents: Provider;
}

const TASK_RUNNER = {
  provide: TaskRunner,
  inject: [HostRegistry, TaskDirectory, ReadModels, Clock, Ids],
  useFactory: ({ taskKinds }: HostRegistry, tasks: TaskDirectory, readModels: ReadModels, clock: Clock, ids: Ids) =>
    new TaskRunner(taskKinds, tasks, { readModels, clock, ids }),
};

const RUNNER_PORTS = {
  provide: RunnerPorts,
  inject: [EventStore, ReadModels, Clock, Tracer, SkipRecorder],
  useFactory: (store: EventStore, readModels: ReadModels, clock: Clock, tracer: Tracer, skips: SkipRecorder): RunnerPorts => ({
    store,
    readModels,
    clock,
    tracer,
    skips,
  }),
};

/** Ports and `Shutdown` come from global modules. */
@Module({})
export class ProjectionsModule {
  static forRoot({ imports = [], reactors, sweepers, taskKinds = [], ...hosting }: ProjectionsOptions): DynamicModule {
    const hosted = {
      provide: HostRegistry,
      inject: [...reactors, ...sweepers, ...taskKinds, RebuildTask, SkippedEventRetryTask],
      useFactory: (...made: (Reactor | Sweeper | TaskKind)[]): HostRegistry => ({
        projections: PROJECTIONS,
        reactors: made.slice(0, reactors.length) as Reactor[],
        sweepers: made.slice(reactors.length, reactors.length + sweepers.length) as Sweeper[],
        taskKinds: made.slice(reactors.length + sweepers.length) as TaskKind[],
      }),
    };
    return {
      module: ProjectionsModule,
      imports: [ListsModule, SchemasModule, SkippedEventsModule, TasksModule, ProjectionStandingModule, ...imports],
      providers: [
        hosted,
        hosting.hostedProjections,
        hosting.hostedComponents,
        RebuildTask,
        SkippedEventRetryTask,
        RUNNER_PORTS,
        HostLease,
        HostNotes,
        ProjectionRunners,
        BesideHost,
        UnusedRows,
        TASK_RUNNER,
        EffectRunners,
        ProjectionsHost,
      ],
      exports: [ProjectionRunners, EffectRunners],
    };
  }
}
