import { isAlive } from '../histories.mjs';
import { acknowledged, allDeliveries, groupBy, same } from '../truth.mjs';

const CONSTANT = [
  'id',
  'object',
  'event_id',
  'event_type',
  'webhook_endpoint_id',
  'trigger',
  'replay_of',
  'max_attempts',
  'created_at',
];
const FINISHED = ['succeeded', 'failed', 'cancelled'];

const only = (names, object) => names.map((name) => object[name]);
const replaysIn = (truth) => allDeliveries(truth).filter(({ trigger }) => trigger === 'replay');
const asks = ({ asked }) => asked.filter(({ kind }) => kind === 'replay');
const byId = (truth) => new Map(allDeliveries(truth).map((delivery) => [delivery.id, delivery]));
const constants = (delivery) => only(CONSTANT, delivery);
/** Lists are newest first. */
const madeFirst = (replays) => replays?.at(-1);

/** How often a request without a key may have been executed unacknowledged. */
function unknownTries({ keyless, cuts, answers }) {
  return keyless ? cuts + answers.filter(({ status }) => status >= 500).length : 0;
}

/** A replay supersedes only a delivery that has not ended before. */
function tellsItsSuccessor({ completed_at: ended, superseded_by: successor, status, cancel_reason: reason, attempts }, first) {
  if (!first || ended < first.created_at) return successor === null;
  const isSuperseded = successor === first.id && attempts.every(({ started_at: at }) => at <= first.created_at);
  const isEnded = status !== 'cancelled' || reason === 'superseded';
  return (isSuperseded && isEnded) || (successor === null && ended === first.created_at);
}

export const replays = {
  'an acknowledged replay is one fresh delivery of the same event to the same endpoint': (truth) => {
    const known = byId(truth);
    const told = acknowledged(truth.asked, 'replay');
    const isTwice = new Set(told.map(({ told: { id } }) => id)).size !== told.length;
    const broken = told.filter(({ original, told: fresh }) => {
      const { id, created_at: at } = fresh;
      const expected = { ...original, id, trigger: 'replay', replay_of: original.id, created_at: at };
      const isListed = known.has(id) && same(constants(known.get(id)), constants(fresh));
      return !isListed || !same(constants(fresh), constants(expected)) || at < original.created_at;
    });
    return [...(isTwice ? ['two replays are told to be the same delivery'] : []), ...broken.map((each) => JSON.stringify(each))];
  },

  'there is no fresh delivery that nobody asked for, nor two for one key': (truth) => {
    const made = groupBy(replaysIn(truth), ({ replay_of: original }) => original);
    const asked = groupBy(asks(truth), ({ original }) => original.id);
    return [...made].flatMap(([id, replays]) => {
      const acknowledgedIds = new Set(acknowledged(asked.get(id) ?? [], 'replay').map(({ told }) => told.id));
      const unknown = replays.filter((replay) => !acknowledgedIds.has(replay.id)).length;
      const allowed = (asked.get(id) ?? []).reduce((sum, each) => sum + unknownTries(each), 0);
      return unknown <= allowed ? [] : [`${id}: ${unknown} replays of it that nobody knows, at most ${allowed} were cut`];
    });
  },

  'a replay leaves a finished delivery as it was, and of another what it was': (truth) => {
    const known = byId(truth);
    return asks(truth).flatMap(({ key, original }) => {
      const now = known.get(original.id);
      const isFinished = FINISHED.includes(original.status);
      const isKept = isFinished
        ? same(now, original)
        : same(constants(now), constants(original)) && same(now.attempts.slice(0, original.attempts.length), original.attempts);
      return isKept ? [] : [`${key}: ${JSON.stringify(original)} then ${JSON.stringify(now)}`];
    });
  },

  'a replay takes over what has not ended, which is then tried no more': (truth) => {
    const made = groupBy(replaysIn(truth), ({ replay_of: original }) => original);
    return allDeliveries(truth)
      .filter((delivery) => !tellsItsSuccessor(delivery, madeFirst(made.get(delivery.id))))
      .map((delivery) => `${JSON.stringify(delivery)} replayed by ${JSON.stringify(madeFirst(made.get(delivery.id)))}`);
  },

  'a replay is accepted for an endpoint that is enabled or paused, and refused for no other reason': (truth) =>
    asks(truth).flatMap(({ key, original, at, final }) => {
      const versions = truth.histories.get(original.webhook_endpoint_id).during(at, final.at);
      const code = JSON.parse(final.text).error?.code;
      const isOpen = final.status === 202 && versions.some(isAlive);
      const isDisabled = code === 'webhook_endpoint_disabled' && versions.some(({ status }) => status === 'disabled');
      const isDeleted = code === 'resource_missing' && versions.some(({ status }) => status === 'deleted');
      return isOpen || isDisabled || isDeleted ? [] : [`${key}: ${final.status} ${code}, ${JSON.stringify(versions)}`];
    }),
};
