import { isAlive, failureReason, wants } from '../histories.mjs';
import { allAttempts, allDeliveries, groupBy, same } from '../truth.mjs';

const SHOWN = ['status', 'url', 'event_filters'];

/** Each event was appended after its `created_at`, and before the answers to its request and to those of later events. */
function births({ asked, events }) {
  const answers = new Map(asked.map(({ key, final }) => [key, final?.at ?? Infinity]));
  const spans = new Map();
  let before = Infinity;
  for (const event of events.toSorted((a, b) => b.sequence - a.sequence)) {
    before = Math.min(before, answers.get(event.request.idempotency_key) ?? Infinity);
    spans.set(event.id, [Date.parse(event.created_at), before]);
  }
  return spans;
}

function counts({ deliveries }, eventId) {
  const first = deliveries.get(eventId).filter(({ trigger }) => trigger === 'event');
  return new Map([...groupBy(first, ({ webhook_endpoint_id: id }) => id)].map(([id, group]) => [id, group.length]));
}

function waitedAtChanges({ histories }) {
  const changes = [...histories.values()].flatMap(({ versions }) => versions.filter((version) => failureReason(version)));
  return changes.flatMap((version) => version.by.waiting.map((waiting) => ({ ...waiting, version })));
}

/** Cancelled by the change, or attempted once more before every process knew of it. */
function isGivenUp({ status, cancel_reason: reason, attempts }, { version, attempts: before }, staleMs) {
  const next = attempts[before];
  if (next) return Date.parse(next.started_at) <= version.toldAt + staleMs;
  return status === 'cancelled' && ['endpoint_disabled', 'endpoint_deleted', 'superseded'].includes(reason);
}

export const endpoints = {
  'every endpoint is listed as it was last acknowledged, and none that was deleted': ({ histories, endpoints: listed }) => {
    const expected = [...histories].filter(([, { last }]) => last.status !== 'deleted');
    const unknown = [...listed.keys()].filter((id) => !expected.some(([known]) => known === id));
    const broken = expected.filter(([id, { last }]) => {
      const { status, url, filters, secret } = last;
      const now = listed.get(id);
      return (
        !now ||
        !same(
          SHOWN.map((name) => now[name]),
          [status, url, filters],
        ) ||
        !secret.endsWith(now.secret_hint.slice(1))
      );
    });
    return [...unknown, ...broken.map(([id, { last }]) => `${id}: ${JSON.stringify([last, listed.get(id)])}`)];
  },

  'every event has one delivery for every endpoint that wanted it when it was born, and no other': (truth) => {
    const spans = births(truth);
    return truth.events.flatMap(({ id: eventId, type }) => {
      const found = counts(truth, eventId);
      const ids = new Set([...truth.histories.keys(), ...found.keys()]);
      return [...ids].flatMap((id) => {
        const versions = truth.histories.get(id)?.during(...spans.get(eventId)) ?? [];
        const count = found.get(id) ?? 0;
        const isFine = versions.some((version) => count === (wants(version, type) ? 1 : 0));
        return isFine ? [] : [`${eventId} ${type}: ${count} to ${id}, ${JSON.stringify(versions)}`];
      });
    });
  },

  'no attempt begins while its endpoint is disabled or deleted': ({ histories, ...truth }) =>
    allAttempts(truth).flatMap(({ delivery: { id, webhook_endpoint_id: endpoint }, attempt, started_at: at }) =>
      histories.get(endpoint).atAttempt(Date.parse(at)).some(isAlive)
        ? []
        : [`${id} to ${endpoint}: attempt ${attempt} at ${at}`],
    ),

  'every POST goes where its endpoint was when the attempt began': ({ histories, received, attempts }) =>
    received.flatMap(({ delivery: id, attempt, url }) => {
      const { started_at: at, delivery } = attempts.get(`${id} ${attempt}`);
      const urls = histories
        .get(delivery.webhook_endpoint_id)
        .atAttempt(Date.parse(at))
        .map((version) => version.url);
      return urls.includes(url) ? [] : [`${id} ${attempt}: ${url}, not ${urls}`];
    }),

  'what waited when its endpoint was disabled or deleted is sent no more, also when it is enabled again': (truth) =>
    waitedAtChanges(truth).flatMap((waiting) => {
      const delivery = truth.deliveries.get(waiting.event).find(({ id }) => id === waiting.delivery);
      const { staleMs } = truth.histories.get(delivery?.webhook_endpoint_id) ?? {};
      return delivery && isGivenUp(delivery, waiting, staleMs)
        ? []
        : [`${waiting.delivery}: ${JSON.stringify([waiting, delivery])}`];
    }),

  'a delivery is cancelled only where its endpoint was disabled or deleted, or a replay took over': (truth) => {
    const spans = births(truth);
    const isCause = (delivery, [bornAfter]) => {
      const { webhook_endpoint_id: endpoint, cancel_reason: reason, superseded_by: successor } = delivery;
      if (reason === 'superseded') return successor !== null;
      const since = delivery.trigger === 'event' ? bornAfter : Date.parse(delivery.created_at);
      const versions = truth.histories.get(endpoint).during(since, Date.parse(delivery.completed_at));
      return versions.some((version) => failureReason(version) === reason);
    };
    return allDeliveries(truth)
      .filter((each) => each.status === 'cancelled' && !isCause(each, spans.get(each.event_id)))
      .map(({ id, cancel_reason: reason, created_at: at }) => `${id} of ${at}: ${reason}`);
  },
};
