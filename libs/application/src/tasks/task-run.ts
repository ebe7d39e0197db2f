import type { Logger } from '@nestjs/common';
import { DomainError } from '@domain/kernel/domain-error';
import type { Envelope } from '@domain/kernel/envelope';
import { isOver, type Task } from '@domain/task/task';
import type { TaskCommand, TaskState } from '@domain/task/task.decider';
import type { TaskProgress } from '@domain/task/task.events';
import { pause, type Clock } from '@ports/clock.port';
import { isRetryableStoreError } from '@ports/event-store.port';
import { failureReason } from '@ports/failure';
import { Pace } from '../runtime/pace.js';
import { untilNextTry } from '../runtime/until-stored.js';
import type { Timed } from '../streams/stream-runner.js';
import type { TaskDirectory } from './task-directory.js';
import { paceOf, type RunningTask, type TaskKind, type TaskStep } from './task-kind.js';

/** Progress is stored, and a cancellation noticed, once in this time. */
const STORED_EVERY_MS = 1_000;
/** An error that is not the store's fails the task when it comes so often without a step in between: half a minute. */
const MAX_FAILURES = 10;

export interface TaskSurroundings {
  readonly tasks: TaskDirectory;
  readonly clock: Clock;
  readonly log: Logger;
}

/** One task's work in this process: from its stored cursor to its end, a cancellation, or `stop`. */
export class TaskRun {
  private readonly backoff = untilNextTry();
  private readonly end = new AbortController();
  private readonly envelope: Envelope;

  constructor(
    private readonly taskId: string,
    private readonly kind: TaskKind,
    private readonly around: TaskSurroundings,
    round: Envelope,
  ) {
    this.envelope = { ...round, $causationId: taskId };
  }

  private get signal(): AbortSignal {
    return this.end.signal;
  }

  /** Leaves the rest to another process, or to a later run. */
  stop(): void {
    this.end.abort();
  }

  /** Never rejects. */
  async run(): Promise<void> {
    while (!this.signal.aborted) {
      try {
        return await this.work();
      } catch (error) {
        if (this.signal.aborted) return;
        if (await this.failed(error)) return;
        await pause(this.around.clock, this.backoff.next(), this.signal);
      }
    }
  }

  private async work(): Promise<void> {
    const { initial } = this.kind;
    const begun: TaskProgress = { examined: 0, total: null, matched: 0, created: 0, ...initial };
    const task = await this.change((at) => ({ type: 'StartTask', at, progress: begun }));
    if (!isRunning(task)) return this.ended(task);
    const from = task.dryRun ? { ...task, progress: begun, cursor: null } : task;
    const progress = await this.stepThrough(from);
    if (progress === null) return;
    await this.ended(await this.change((at) => ({ type: 'CompleteTask', at, progress })));
  }

  /** The progress at its end; null where it was stopped. */
  private async stepThrough(task: RunningTask): Promise<TaskProgress | null> {
    const { clock } = this.around;
    const pace = new Pace(clock, task.dryRun ? null : paceOf(task), this.signal);
    let { progress } = task;
    let storedAt = clock.elapsed();
    let stored: object = progress;
    for await (const step of this.kind.steps(task, this.signal)) {
      progress = after(progress, step);
      await pace.after(step.created);
      if (this.signal.aborted) return null;
      if (clock.elapsed() - storedAt < STORED_EVERY_MS) continue;
      const now = await this.store(progress, step.cursor, stored === progress);
      if (!isRunning(now)) {
        this.stop();
        await this.ended(now);
        return null;
      }
      [storedAt, stored] = [clock.elapsed(), progress];
      this.backoff.reset();
    }
    return this.signal.aborted ? null : progress;
  }

  private store(progress: TaskProgress, cursor: string | null, isStored: boolean): Promise<TaskState> {
    if (isStored) return this.around.tasks.peek(this.taskId);
    return this.change((at) => ({ type: 'AdvanceTask', at, progress, cursor }));
  }

  /** Whether the task is over with it. */
  private async failed(error: unknown): Promise<boolean> {
    const reason = failureOf(error, this.backoff.failures);
    this.around.log.warn(`${this.kind.name} ${this.taskId}: ${failureReason(error)}${reason ? '' : ', it is tried again'}`);
    if (!reason) return false;
    try {
      await this.ended(await this.change((at) => ({ type: 'FailTask', at, error: reason })));
      return true;
    } catch {
      return false;
    }
  }

  private async ended(task: TaskState): Promise<void> {
    if (task && isOver(task)) await this.around.tasks.release(task, this.envelope);
  }

  private change(command: Timed<TaskCommand>): Promise<TaskState> {
    return this.around.tasks.run(this.taskId, command, this.envelope);
  }
}

function isRunning(task: TaskState): task is RunningTask & Task {
  return task?.status === 'running';
}

/** Null where the work is to be tried again. */
function failureOf(error: unknown, failures: number): { readonly code: string; readonly message: string } | null {
  if (isRetryableStoreError(error)) return null;
  if (error instanceof DomainError && error.code !== 'service_unavailable') return { code: error.code, message: error.message };
  if (error instanceof DomainError || failures < MAX_FAILURES) return null;
  return { code: 'internal_error', message: 'Something went wrong on our side.' };
}

function after(progress: TaskProgress, step: TaskStep): TaskProgress {
  const isNothing = step.examined === 0 && step.created === 0 && step.total === undefined && step.details === undefined;
  if (isNothing) return progress;
  return {
    examined: progress.examined + step.examined,
    total: step.total ?? progress.total,
    matched: progress.matched + step.matched,
    created: progress.created + step.created,
    skipped: added(progress.skipped, step.skipped),
    details: step.details ?? progress.details,
  };
}

function added(before: TaskProgress['skipped'], more: TaskProgress['skipped']): TaskProgress['skipped'] {
  const all = { ...before };
  for (const [reason, count] of Object.entries(more)) all[reason] = (all[reason] ?? 0) + count;
  return all;
}
