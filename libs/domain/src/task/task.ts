import type { TaskDetails, TaskError, TaskProgress, TaskStatus } from './task.events.js';

export const TASK_WINDOW_DAYS = 30;

const KEPT_MS = TASK_WINDOW_DAYS * 24 * 3_600_000;

/** A task, folded from its stream. */
export interface Task extends Omit<TaskDetails, 'taskId'> {
  readonly id: string;
  readonly status: TaskStatus;
  /** Null while it is pending. */
  readonly progress: TaskProgress | null;
  /** Where it continues; null at its beginning. The form is its kind's own. */
  readonly cursor: string | null;
  /** When `cursor` was stored. */
  readonly advancedAt: number;
  readonly error: TaskError | null;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly completedAt: number | null;
  readonly expired: boolean;
}

export function isOver({ status }: Pick<Task, 'status'>): boolean {
  return status !== 'pending' && status !== 'running';
}

/** From when it is no longer kept; null while it is open. */
export function retireAt({ completedAt }: Pick<Task, 'completedAt'>): number | null {
  return completedAt === null ? null : completedAt + KEPT_MS;
}
