import { RECEIVERS } from '../farm.mjs';
import { allDeliveries, groupBy } from '../truth.mjs';
import { overlap, pausesOf } from './pauses.mjs';

/** For clocks of whole milliseconds, and rounded durations. */
const CLOCK_MS = 2;

/** From an answer to its record, with a margin for a busy machine. */
const UNRECORDED_MS = 1_000;

/** A kill and a restart, with a margin. */
const LATE_MS = 30_000;

const isSuccess = (answer) => answer >= 200 && answer < 300;
const isRefusal = (answer) => answer >= 400 && answer < 500 && answer !== 408 && answer !== 429;
const receiverOf = ({ url }) => new URL(url).pathname.split('/')[1];

const wasCut = ({ error_code: code, response_status: status }) => status === null && code === 'network_error';

const told = (attempts) =>
  attempts.map(({ attempt, response_status: status, error_code: code }) => `${attempt} ${status ?? code}`);

/** Whether the last attempt alone explains the final status; a cancelled delivery has none. */
function isWhole({ status, failure_reason: reason, superseded_by: successor, attempts }, most) {
  const ends = attempts.map(({ response_status: answer }, index) => {
    if (isSuccess(answer)) return 'succeeded null';
    if (isRefusal(answer)) return 'failed permanent_rejection';
    return index + 1 === most ? 'failed attempts_exhausted' : 'goes on';
  });
  const isCounted = attempts.every(({ attempt }, index) => attempt === index + 1);
  const isCutOff = successor && ends.length === most && wasCut(attempts.at(-1));
  const isEnded =
    status === 'cancelled' ? isCutOff || (ends.at(-1) ?? 'goes on') === 'goes on' : ends.at(-1) === `${status} ${reason}`;
  return isCounted && isEnded && ends.slice(0, -1).every((end) => end === 'goes on');
}

/** How late an attempt may be, counting only uninterrupted time with every engine up and the endpoint not paused. */
export const lateAtMost = (mostMs) => ({
  'no attempt is left waiting long after it is due': (truth) =>
    allDeliveries(truth).flatMap(({ id, created_at: createdAt, ...delivery }) =>
      delivery.attempts.flatMap((attempt, index) => {
        const before = delivery.attempts[index - 1];
        const due = before ? Date.parse(before.started_at) + before.duration_ms + truth.waits[index] : Date.parse(createdAt);
        const lateMs = longestCalm(due, Date.parse(attempt.started_at), [...truth.outages, ...pausesOf(truth, delivery)]);
        return lateMs > mostMs ? [`${id} to ${receiverOf(delivery)}: attempt ${attempt.attempt}, ${lateMs} ms`] : [];
      }),
    ),
});

function longestCalm(from, to, outages) {
  let [longest, since] = [0, from];
  for (const outage of outages.filter((each) => overlap(each, { from, to })).toSorted((a, b) => a.from - b.from)) {
    longest = Math.max(longest, outage.from - since);
    since = Math.max(since, outage.to);
  }
  return Math.max(longest, to - since);
}

export const deliveries = {
  'every delivery ends, and when it is not cancelled, as its receiver lets it': (truth) =>
    allDeliveries(truth)
      .filter((delivery) => delivery.status !== 'cancelled' && !RECEIVERS[receiverOf(delivery)].ends.includes(delivery.status))
      .map(({ id, status, ...delivery }) => `${id} to ${receiverOf(delivery)}: ${status}`),

  'attempts go on, one after the other, until a yes, a refusal or the last of them': (truth) =>
    allDeliveries(truth)
      .filter((delivery) => !isWhole(delivery, truth.waits.length))
      .map(({ id, status, failure_reason: reason, attempts }) => `${id} ${status} ${reason}: ${told(attempts)}`),

  'what is told of an attempt is what its receiver saw': (truth) => {
    const seen = new Set(truth.received.map(({ delivery, attempt, answer }) => `${delivery} ${attempt} ${answer}`));
    return allDeliveries(truth).flatMap(({ id, status, attempts }) => {
      const unseen = attempts.filter(({ attempt, response_status: answer }) => answer && !seen.has(`${id} ${attempt} ${answer}`));
      const isTold = status !== 'succeeded' || isSuccess(attempts.at(-1).response_status);
      return unseen.length === 0 && isTold ? [] : [`${id} ${status}: ${JSON.stringify(unseen)}`];
    });
  },

  'what a receiver said is told, unless the process died before it could': (truth) => {
    const told = new Map();
    for (const { id, attempts } of allDeliveries(truth)) for (const each of attempts) told.set(`${id} ${each.attempt}`, each);
    return truth.received.flatMap(({ delivery, attempt, answer }) => {
      const found = told.get(`${delivery} ${attempt}`);
      const isTold = !found || wasCut(found) || answer === 'cut' || found.response_status === answer;
      return isTold ? [] : [`${delivery} ${attempt}: ${answer}, told as ${found.response_status}`];
    });
  },

  'nothing is sent that was not claimed first': (truth) => {
    const claimed = new Set(
      allDeliveries(truth).flatMap(({ id, attempts }) => attempts.map(({ attempt }) => `${id} ${attempt}`)),
    );
    return truth.received
      .filter(({ delivery, attempt }) => !claimed.has(`${delivery} ${attempt}`))
      .map(({ receiver, delivery, attempt, broken }) => `${receiver} got ${delivery} ${attempt} ${broken ?? ''}`);
  },

  'no attempt is made before it is due, unless its endpoint was paused and resumed': (truth) =>
    allDeliveries(truth).flatMap(({ id, attempts, ...delivery }) =>
      attempts.slice(1).flatMap((attempt, index) => {
        const before = attempts[index];
        const [from, to] = [before, attempt].map(({ started_at: at }) => Date.parse(at));
        const due = from + before.duration_ms + truth.waits[index + 1] - CLOCK_MS;
        const wasResumed = pausesOf(truth, delivery).some((each) => overlap(each, { from, to }));
        const isEarly = !wasCut(before) && !wasResumed && to < due;
        return isEarly ? [`${id}: attempt ${attempt.attempt} ${due - to} ms early`] : [];
      }),
    ),

  ...lateAtMost(LATE_MS),

  'the events log counts deliveries as they are': ({ events, deliveries: byEvent }) =>
    events
      .filter(({ id, delivery_summary: summary }) => {
        const all = byEvent.get(id);
        const isWrong = (status) => all.filter((delivery) => delivery.status === status).length !== summary[status];
        return ['succeeded', 'failed', 'cancelled'].some(isWrong) || all.length !== summary.total;
      })
      .map(({ id, delivery_summary: summary }) => `${id}: ${JSON.stringify(summary)}`),
};

/** A repeated attempt, or a success after a success. */
export function duplicates({ received }) {
  const attempts = new Set();
  const welcomed = new Set();
  const found = [];
  for (const { receiver, delivery, attempt, answer } of received) {
    const name = `${delivery} ${attempt}`;
    if (attempts.has(name) || (welcomed.has(delivery) && isSuccess(answer))) found.push(`${receiver}: ${name} ${answer}`);
    attempts.add(name);
    if (isSuccess(answer)) welcomed.add(delivery);
  }
  return found;
}

export const noDuplicates = {
  'no receiver gets anything twice': duplicates,

  'every attempt comes to something': (truth) =>
    allDeliveries(truth).flatMap(({ id, attempts }) => attempts.filter(wasCut).map(({ attempt }) => `${id}: attempt ${attempt}`)),
};

/** Not even a crash excuses these. */
function repeatedAttempts({ received }) {
  const attempts = new Set();
  return received.flatMap(({ receiver, delivery, attempt }) => {
    const name = `${delivery} ${attempt}`;
    const isRepeated = attempts.has(name);
    attempts.add(name);
    return isRepeated ? [`${receiver}: ${name}`] : [];
  });
}

/** At-least-once delivery allows a second success if a kill fell between the answer and its record. */
function unexcusedSuccesses(truth) {
  const cut = new Set();
  for (const { id, attempts } of allDeliveries(truth))
    for (const each of attempts) if (wasCut(each)) cut.add(`${id} ${each.attempt}`);
  const welcomed = new Map();
  return truth.received
    .filter(({ answer }) => isSuccess(answer))
    .flatMap(({ receiver, delivery, attempt }) => {
      const before = welcomed.get(delivery);
      welcomed.set(delivery, attempt);
      const isExcused = before === undefined || cut.has(`${delivery} ${before}`);
      return isExcused ? [] : [`${receiver}: ${delivery} ${attempt} after ${before}`];
    });
}

export const onlyExcusedDuplicates = {
  'no attempt is made twice': repeatedAttempts,

  'a receiver that said yes is asked again only where a kill cut the attempt off': unexcusedSuccesses,
};

/** Each success whose delivery succeeded again later. */
function welcomedAgain({ received }) {
  const successes = received.filter(({ answer }) => isSuccess(answer));
  return [...groupBy(successes, ({ delivery }) => delivery).values()].flatMap((group) => group.slice(0, -1));
}

/**
 * A process is killed at the moment of a POST, so it may have answers of all that it sent at once, which it could not record. The
 * share counts every needless POST, even those that a kill excuses.
 */
export const fewDuplicates = (share) => ({
  ...onlyExcusedDuplicates,

  'a receiver is asked again only after an answer of the last second before a kill': (truth) =>
    welcomedAgain(truth)
      .filter(({ at }) => !truth.kills.some((kill) => at > kill - UNRECORDED_MS && at < kill + UNRECORDED_MS))
      .map(
        ({ receiver, delivery, attempt, at }) => `${receiver}: ${delivery} ${attempt}, answered at ${at}, kills ${truth.kills}`,
      ),

  [`at most ${share * 100} % of all POSTs are needless`]: (truth) => {
    const found = duplicates(truth);
    return found.length <= share * truth.received.length ? [] : [`${found.length} of ${truth.received.length}`, ...found];
  },
});
