import { acknowledged, allDeliveries } from '../truth.mjs';

const KINDS = ['bulk_replay', 'reconciliation'];

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

/** Each task asked for with what is told of it at last, as `task`. */
export function tasksIn({ asked, tasks }, kinds = KINDS) {
  const all = kinds.flatMap((kind) => acknowledged(asked, kind));
  return all.map(({ told, ...each }) => ({ ...each, id: told.id, task: tasks.get(told.id) }));
}

export const isOver = ({ task }) => task?.status === 'completed';

/** Whether the task made the delivery: one at a time runs for an endpoint. */
export function isBy({ webhook_endpoint_id: endpoint, started_at: from, completed_at: to }, { trigger, ...delivery }) {
  const { webhook_endpoint_id: target, created_at: at } = delivery;
  return trigger === 'bulk_replay' && target === endpoint && at >= from && at <= to;
}

/** Whether the delivery was open while the task ran, and so may have stood for a fresh one. */
export function wasOpenDuring({ started_at: from, completed_at: to }, { created_at: at, completed_at: end }) {
  return at <= to && (end === null || end >= from);
}

export const tasks = {
  'a task goes on by itself until it is completed, whatever is killed': (truth) =>
    tasksIn(truth)
      .filter((each) => !isOver(each) || each.task.error !== null)
      .map(({ key, id, task }) => `${key}: ${id} is ${JSON.stringify(task)}`),

  'a task counts what it made, and what it left out': (truth) =>
    tasksIn(truth)
      .filter(isOver)
      .flatMap(({ id, task }) => {
        const made = allDeliveries(truth).filter((delivery) => isBy(task, delivery)).length;
        const { matched, created, skipped } = task.result;
        const isRight = created === made && matched === created + sum(Object.values(skipped));
        return isRight ? [] : [`${id}: ${JSON.stringify(task)}, but it made ${made}`];
      }),

  'there is no fresh delivery that no task made': (truth) => {
    const known = tasksIn(truth).flatMap(({ task }) => task ?? []);
    return allDeliveries(truth)
      .filter((delivery) => delivery.trigger === 'bulk_replay' && known.every((task) => !isBy(task, delivery)))
      .map(({ id, replay_of: original }) => `${id} of ${original}`);
  },
};
