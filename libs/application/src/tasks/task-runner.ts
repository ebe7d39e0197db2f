import { Logger } from '@nestjs/common';
import { runnableTasks, type OpenTask } from '@domain/task/runnable-tasks';
import { pause, type Clock } from '@ports/clock.port';
import type { Position } from '@ports/event-store.port';
import { onAbort } from '@ports/on-abort';
import { failureReason } from '@ports/failure';
import type { Ids } from '@ports/ids.port';
import type { DueKey, ReadModels, StoredRow } from '@ports/read-models.port';
import { duePage, type DuePage } from '../read-models/due-page.js';
import { LogThrottle } from '../runtime/log-throttle.js';
import { timerRound } from '../runtime/timer-round.js';
import type { TaskDirectory } from './task-directory.js';
import type { TaskKind } from './task-kind.js';
import { TaskRun } from './task-run.js';
import { tasksProjection, type TaskRow } from './tasks.projection.js';

const LOOKS_EVERY_MS = 500;
const PAGE = 500;
const OPEN = [tasksProjection.schema.name, 'openSince' satisfies keyof TaskRow] as const;

interface RunnerPorts {
  readonly readModels: ReadModels;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Takes up the open tasks in their order. Their streams decide, so two processes that do so at once only do the work twice. */
export class TaskRunner {
  private readonly log = new Logger('tasks');
  private readonly throttle: LogThrottle;
  private readonly running = new Map<string, { readonly run: TaskRun; readonly ended: Promise<void> }>();
  private readonly kinds: ReadonlyMap<string, TaskKind>;
  /** Up to where the rows have been looked at without an open task among them. */
  private idleUpTo: Position | null = null;

  constructor(
    kinds: readonly TaskKind[],
    private readonly tasks: TaskDirectory,
    private readonly ports: RunnerPorts,
  ) {
    this.kinds = new Map(kinds.map((kind) => [kind.name, kind]));
    this.throttle = new LogThrottle(ports.clock);
  }

  /** Runs tasks until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.kinds.size === 0) return;
    const leave = onAbort(signal, () => this.running.forEach(({ run }) => run.stop()));
    while (!signal.aborted) {
      try {
        await this.startRunnable(signal);
        if (this.throttle.recovered()) this.log.warn('tasks are found again');
      } catch (error) {
        if (!signal.aborted && this.throttle.shouldLog(error)) this.log.warn(`tasks are not found: ${failureReason(error)}`);
      }
      await pause(this.ports.clock, LOOKS_EVERY_MS, signal);
    }
    leave();
    await Promise.all([...this.running.values()].map(({ ended }) => ended));
  }

  private async startRunnable(signal: AbortSignal): Promise<void> {
    const upTo = await this.ports.readModels.checkpoint(tasksProjection.schema.name);
    if (upTo === this.idleUpTo) return;
    const open = await this.open();
    this.idleUpTo = open.length === 0 ? upTo : null;
    for (const { id, kind } of runnableTasks(open)) {
      if (signal.aborted) return;
      if (this.running.has(id)) continue;
      const { clock, ids } = this.ports;
      const around = { tasks: this.tasks, clock, log: this.log };
      const run = new TaskRun(id, kind, around, timerRound(ids, 'tasks'));
      this.running.set(id, { run, ended: run.run().finally(() => this.running.delete(id)) });
    }
  }

  /** Those of kinds that this program knows: a newer one takes up the others. */
  private async open(): Promise<readonly (OpenTask & { readonly kind: TaskKind })[]> {
    const rows: StoredRow<TaskRow>[] = [];
    let after: DueKey | null = null;
    do {
      const page: DuePage<TaskRow> = await duePage<TaskRow>(this.ports.readModels, OPEN, Number.MAX_SAFE_INTEGER, PAGE, after);
      rows.push(...page.rows);
      after = page.next;
    } while (after);
    return rows.flatMap(({ id, projectId: owner, row: { kind: name, endpointId, dryRun, createdAt, status } }) => {
      const kind = this.kinds.get(name);
      const isRunning = status === 'running' || this.running.has(id);
      return kind ? { id, owner, endpointId, dryRun, createdAt, isRunning, kind } : [];
    });
  }
}
