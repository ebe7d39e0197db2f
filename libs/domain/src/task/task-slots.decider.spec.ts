import { specFor } from '@testing/decider-spec';
import { MAX_OPEN_TASKS, taskSlotsDecider, type TaskSlotEvent } from './task-slots.decider.js';

const { given } = specFor(taskSlotsDecider);

const taken = (number: number): TaskSlotEvent => ({ type: 'TaskSlotTaken', at: 1_000, taskId: `task_${number}` });
const take = (number: number) => ({ type: 'TakeTaskSlot', at: 1_000, taskId: `task_${number}` }) as const;
const release = (...numbers: readonly number[]) =>
  ({ type: 'ReleaseTaskSlots', at: 2_000, taskIds: numbers.map((number) => `task_${number}`) }) as const;
const twenty = Array.from({ length: MAX_OPEN_TASKS }, (_, number) => taken(number));

describe('the slots of open tasks', () => {
  it('are taken once by each task', () => {
    given().when(take(1)).then(taken(1));
    given(taken(1)).when(take(1)).thenNothing();
  });

  it('are twenty: a further task is refused, and may come again when one is over', () => {
    given(...twenty)
      .when(take(99))
      .thenRejects('task_limit_reached', { retryAfter: 10 });
    given(...twenty)
      .when(take(3))
      .thenNothing();
    given(...twenty)
      .when(release(3, 7), take(99))
      .then({ type: 'TaskSlotsReleased', at: 2_000, taskIds: ['task_3', 'task_7'] }, taken(99));
  });

  it('are released once', () =>
    given(taken(1))
      .when(release(1), release(1, 2))
      .then({ type: 'TaskSlotsReleased', at: 2_000, taskIds: ['task_1'] }));
});
