import { allDeliveries, groupBy } from '../truth.mjs';
import { isBy, isOver, tasksIn, wasOpenDuring } from './tasks.mjs';

const isSince = ({ completed_at: at }, deliveries) => deliveries.every(({ created_at: before }) => before <= at);

/**
 * How many fresh deliveries a task makes of an event, given the others to its endpoint. What failed before the task was asked for is
 * certain; what failed or was delivered while it ran may have done so before or after the task came to it.
 */
function expectedOf(task, { created_at: span, ...body }, others) {
  const { created_at: asked, started_at: started, completed_at: ended } = task;
  const failed = others.filter(({ status, created_at: at }) => status === 'failed' && at >= span.gte && at < started);
  const certain = failed.filter(({ completed_at: at }) => at < asked);
  const rest = body.skip_recovered ? others.filter((each) => !certain.includes(each)) : [];
  const succeeded = rest.filter(({ status }) => status === 'succeeded');
  const hasReached = succeeded.some((each) => each.completed_at < asked && isSince(each, failed));
  const mayHaveReached = succeeded.some((each) => each.created_at <= ended && isSince(each, certain));
  const mayBeOnItsWay = rest.some((each) => wasOpenDuring(task, each));
  const isCertain = certain.length > 0 && !mayHaveReached && !mayBeOnItsWay;
  return { failed, certain, least: isCertain ? 1 : 0, most: failed.length > 0 && !hasReached ? 1 : 0 };
}

function isOfTheNewest(fresh, { failed, certain }) {
  const original = failed.find(({ id }) => id === fresh.replay_of);
  return original && certain.every(({ created_at: at }) => at <= original.created_at);
}

function wrongIn({ task, body, id }, byEvent) {
  return [...byEvent].flatMap(([event, there]) => {
    const fresh = there.filter((delivery) => isBy(task, delivery));
    const expected = expectedOf(
      task,
      body,
      there.filter((delivery) => !fresh.includes(delivery)),
    );
    const isRight = fresh.length >= expected.least && fresh.length <= expected.most;
    if (isRight && fresh.every((each) => isOfTheNewest(each, expected))) return [];
    return [`${id} made ${fresh.length} of ${event}: ${JSON.stringify(there.map(({ attempts: _, ...each }) => each))}`];
  });
}

export const bulkReplays = {
  'a task makes one fresh delivery of every event whose delivery failed, misses none, and replays the newest of several': (
    truth,
  ) => {
    const byEndpoint = groupBy(allDeliveries(truth), ({ webhook_endpoint_id: id }) => id);
    return tasksIn(truth, ['bulk_replay'])
      .filter(isOver)
      .flatMap((each) => {
        const there = byEndpoint.get(each.body.endpoint_id) ?? [];
        return wrongIn(
          each,
          groupBy(there, ({ event_id: event }) => event),
        );
      });
  },
};
