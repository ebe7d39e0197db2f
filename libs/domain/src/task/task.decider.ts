import { unchanged, type Decider } from '../kernel/decider.js';
import { isOver, retireAt, type Task } from './task.js';
import type { TaskDetails, TaskError, TaskEvent, TaskProgress } from './task.events.js';

export type TaskCommand =
  | ({ readonly type: 'CreateTask'; readonly at: number } & TaskDetails)
  | { readonly type: 'StartTask'; readonly at: number; readonly progress: TaskProgress }
  | { readonly type: 'AdvanceTask'; readonly at: number; readonly progress: TaskProgress; readonly cursor: string | null }
  | { readonly type: 'CompleteTask'; readonly at: number; readonly progress: TaskProgress }
  | { readonly type: 'CancelTask'; readonly at: number }
  | { readonly type: 'FailTask'; readonly at: number; readonly error: TaskError }
  | { readonly type: 'ExpireTask'; readonly at: number };

/** Null before the task is created. */
export type TaskState = Task | null;

/** Nothing changes a task that is over, so that two processes that work on it cannot contradict each other. */
export const taskDecider: Decider<TaskState, TaskCommand, TaskEvent> = {
  initial: null,
  decide(command, task) {
    if (command.type === 'CreateTask') return task ? [] : [{ ...command, type: 'TaskCreated' }];
    if (!task) return [];
    const at = Math.max(command.at, task.completedAt ?? task.advancedAt);
    if (command.type === 'ExpireTask') return expire(command.at, at, task);
    if (isOver(task)) return [];
    switch (command.type) {
      case 'StartTask':
        return task.status === 'pending' ? [{ type: 'TaskStarted', at, progress: command.progress }] : [];
      case 'AdvanceTask':
        return task.status === 'running'
          ? [{ type: 'TaskAdvanced', at, progress: command.progress, cursor: command.cursor }]
          : [];
      case 'CompleteTask':
        return task.status === 'running' ? [{ type: 'TaskCompleted', at, progress: command.progress }] : [];
      case 'CancelTask':
        return [{ type: 'TaskCancelled', at }];
      case 'FailTask':
        return [{ type: 'TaskFailed', at, error: command.error }];
    }
  },
  evolve(task, event) {
    const { at } = event;
    if (event.type === 'TaskCreated') return created(event);
    if (!task) return null;
    switch (event.type) {
      case 'TaskStarted':
        return { ...task, status: 'running', progress: event.progress, startedAt: at, advancedAt: at };
      case 'TaskAdvanced':
        return { ...task, progress: event.progress, cursor: event.cursor, advancedAt: at };
      case 'TaskCompleted':
        return { ...task, status: 'completed', progress: event.progress, completedAt: at };
      case 'TaskCancelled':
        return { ...task, status: 'cancelled', completedAt: at };
      case 'TaskFailed':
        return { ...task, status: 'failed', error: event.error, completedAt: at };
      case 'TaskExpired':
        return { ...task, expired: true };
      default:
        return unchanged(task, event);
    }
  },
  isOver: (task) => task !== null && isOver(task),
};

function created({ at, taskId: id, projectId, kind, endpointId, dryRun, parameters, ids }: TaskDetails & { at: number }): Task {
  return {
    id,
    projectId,
    kind,
    endpointId,
    dryRun,
    parameters,
    ...(ids && { ids }),
    status: 'pending',
    progress: null,
    cursor: null,
    advancedAt: at,
    error: null,
    createdAt: at,
    startedAt: null,
    completedAt: null,
    expired: false,
  };
}

function expire(now: number, at: number, task: Task): TaskEvent[] {
  const from = retireAt(task);
  return task.expired || from === null || now < from ? [] : [{ type: 'TaskExpired', at }];
}
