import { unchanged, type Decider, type DomainEvent } from '../kernel/decider.js';
import { DomainError } from '../kernel/domain-error.js';

/** Open tasks of a project, dry runs included. */
export const MAX_OPEN_TASKS = 20;

const RETRY_AFTER_SECONDS = 10;

export type TaskSlotCommand =
  | { readonly type: 'TakeTaskSlot'; readonly at: number; readonly taskId: string }
  | { readonly type: 'ReleaseTaskSlots'; readonly at: number; readonly taskIds: readonly string[] };

export type TaskSlotEvent = DomainEvent &
  (
    | { readonly type: 'TaskSlotTaken'; readonly taskId: string }
    | { readonly type: 'TaskSlotsReleased'; readonly taskIds: readonly string[] }
  );

export interface TaskSlots {
  readonly slots: readonly { readonly taskId: string; readonly takenAt: number }[];
}

/** The slots of a project's open tasks, or of those of no project. A task takes its slot before it exists. */
export const taskSlotsDecider: Decider<TaskSlots, TaskSlotCommand, TaskSlotEvent> = {
  initial: { slots: [] },
  decide(command, { slots }) {
    const { at } = command;
    switch (command.type) {
      case 'TakeTaskSlot': {
        const { taskId } = command;
        if (slots.some((slot) => slot.taskId === taskId)) return [];
        if (slots.length >= MAX_OPEN_TASKS) throw tooManyTasks();
        return [{ type: 'TaskSlotTaken', at, taskId }];
      }
      case 'ReleaseTaskSlots': {
        const taskIds = command.taskIds.filter((taskId) => slots.some((slot) => slot.taskId === taskId));
        return taskIds.length === 0 ? [] : [{ type: 'TaskSlotsReleased', at, taskIds }];
      }
    }
  },
  evolve(state, event) {
    const { slots } = state;
    switch (event.type) {
      case 'TaskSlotTaken':
        return { slots: [...slots, { taskId: event.taskId, takenAt: event.at }] };
      case 'TaskSlotsReleased':
        return { slots: slots.filter(({ taskId }) => !event.taskIds.includes(taskId)) };
      default:
        return unchanged(state, event);
    }
  },
};

function tooManyTasks(): DomainError {
  const message = `At most ${MAX_OPEN_TASKS} tasks may be open at a time.`;
  return new DomainError('task_limit_reached', message, { retryAfter: RETRY_AFTER_SECONDS });
}
