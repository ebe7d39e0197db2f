import { allDeliveries, same } from '../truth.mjs';
import { isBy, isOver, tasksIn, wasOpenDuring } from './tasks.mjs';

/** What the endpoint was to get of that time. */
function expectedOf({ body, endpoint }, { events, histories }) {
  const { filters } = histories.get(endpoint).last;
  const isThen = ({ created_at: at }) => at >= body.since && at < body.until;
  return events.filter((event) => filters.includes(event.type) && isThen(event)).map(({ id }) => id);
}

function wrongIn(each, truth) {
  const { id, endpoint, body, forgotten, task } = each;
  const there = allDeliveries(truth).filter((delivery) => delivery.webhook_endpoint_id === endpoint);
  const [fresh, open] = [[], []];
  for (const { event_id: event, ...delivery } of there) {
    if (isBy(task, delivery)) fresh.push(event);
    else if (wasOpenDuring(task, delivery)) open.push(event);
  }
  const expected = expectedOf(each, truth);
  const isLacking = (event) => expected.includes(event) && !body.received.includes(event);
  const isExact = fresh.every(isLacking) && forgotten.every((event) => fresh.includes(event) || open.includes(event));
  const isCounted = same([task.result.expected, task.result.unknown.count], [expected.length, 0]);
  if (isExact && isCounted && new Set(fresh).size === fresh.length) return [];
  return [`${id} sent ${fresh}, forgotten ${forgotten}, expected ${expected.length}: ${JSON.stringify(task)}`];
}

export const reconciliations = {
  'a reconciliation sends exactly what its receiver forgot or never got, once': (truth) =>
    tasksIn(truth, ['reconciliation'])
      .filter(isOver)
      .flatMap((each) => wrongIn(each, truth)),
};
