import type { Task } from '@domain/task/task';
import type { TaskProgress } from '@domain/task/task.events';

/** A task under way. */
export interface RunningTask extends Task {
  readonly progress: TaskProgress;
  readonly startedAt: number;
}

/** A small part of a task's work, after it was done. */
export interface TaskStep {
  /** How many were looked at, how many of them matched, and how many were created or left out, by reason, in this step. */
  readonly examined: number;
  readonly matched: number;
  readonly created: number;
  readonly skipped: Readonly<Record<string, number>>;
  /** How many there are to look at in all, once that is known. */
  readonly total?: number;
  /** The members of the result that only this kind has, in place of those before. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** Where the task continues after this step, in any process. */
  readonly cursor: string | null;
}

/** A kind of long work. The runner keeps its progress, its pace and its place in the order of tasks. */
export interface TaskKind {
  /** Part of stored events: it must never change. */
  readonly name: string;
  /** What a task shows that has done nothing yet: all its reasons with 0, and its own members. */
  readonly initial: Pick<TaskProgress, 'skipped' | 'details'>;
  /**
   * Works on from the task's cursor, step by step; a dry run from its beginning, without effects. A step that a dead process did not
   * store comes again, so its effects must be found again and counted as before. Yields at least each second, if need be a step of
   * nothing, and ends early on abort. A `DomainError` fails the task; another error repeats the work from the stored cursor.
   */
  steps(task: RunningTask, signal: AbortSignal): AsyncIterable<TaskStep>;
}

/** Effects a second that a task was asked for; null without a limit. */
export function paceOf({ parameters }: Pick<Task, 'parameters'>): number | null {
  const { per_second: pace } = parameters;
  return typeof pace === 'number' ? pace : null;
}
