import { forEach } from '../client.mjs';
import { acknowledged, groupBy, same } from '../truth.mjs';

const kindOf = ({ type }) => type.slice('appointment.'.length);
const inOrder = (events) => events.toSorted((a, b) => a.data.object.version - b.data.object.version);

function histories(events) {
  const groups = groupBy(events, ({ data }) => data.object.id);
  return [...groups].map(([id, group]) => [id, inOrder(group)]);
}

function agentsActions(asked) {
  return acknowledged(asked, 'message').flatMap(({ key, told }) =>
    (told.reply?.actions ?? []).filter(({ type }) => type === 'appointment').map((action) => ({ key, ...action })),
  );
}

const nameOf = ({ appointment_id: id, operation }) => `${id} ${operation}`;

const namedFirst = (events) =>
  events.toSorted((a, b) => (a.request.idempotency_key === null) - (b.request.idempotency_key === null));

/** Whether an agent's action explains the event. Its key is the message's, or null if the turn resumed after a kill. */
function isAgents({ request, type, data }, agents) {
  const actions = agents.get(nameOf({ appointment_id: data.object.id, operation: kindOf({ type }) })) ?? [];
  const index = actions.findIndex(({ key }) => request.idempotency_key === null || request.idempotency_key === key);
  return index >= 0 && actions.splice(index, 1).length === 1;
}

export const appointments = {
  'every acknowledged appointment is there as it was last acknowledged': async ({ asked, client }) => {
    const broken = [];
    const told = acknowledged(asked, 'appointment').map((each) => each.told);
    await forEach(
      groupBy(told, ({ id }) => id),
      async ([id, versions]) => {
        const last = versions.toSorted((a, b) => a.version - b.version).at(-1);
        const now = await client.read(`/v1/appointments/${id}`);
        const { deduplicated, ...expected } = last;
        if (deduplicated || !same(now, expected)) broken.push(`${id}: ${JSON.stringify(last)} then ${JSON.stringify(now)}`);
      },
    );
    return broken;
  },

  'the list shows every appointment once, as reading it does': async ({ appointments: listed, events, client }) => {
    const broken = [];
    const known = new Set(events.map(({ data }) => data.object.id));
    for (const { id } of listed) if (!known.delete(id)) broken.push(`${id}: twice, or without an event`);
    for (const id of known) broken.push(`${id}: not listed`);
    await forEach(listed, async (shown) => {
      if (!same(await client.read(`/v1/appointments/${shown.id}`), shown)) broken.push(`${shown.id}: listed differently`);
    });
    return broken;
  },

  'every accepted transition has exactly one event': ({ asked, events }) => {
    const byKey = groupBy(events, ({ request }) => request.idempotency_key);
    const changes = acknowledged(asked, 'appointment').flatMap(({ key, emits, told }) => {
      const made = inOrder(byKey.get(key) ?? []);
      const last = made.at(-1)?.data.object;
      const tellsTheSame = emits.length === 0 || same({ ...last, deduplicated: undefined }, { ...told, deduplicated: undefined });
      return same(made.map(kindOf), emits) && tellsTheSame ? [] : [`${key}: ${emits} but ${made.map(kindOf)}`];
    });
    const byAppointment = groupBy(events, ({ data }) => data.object.id);
    const byAgent = agentsActions(asked)
      .filter(({ operation, appointment_id: id }) => !(byAppointment.get(id) ?? []).some((event) => kindOf(event) === operation))
      .map(({ key, operation, appointment_id: id }) => `${key}: the agent's ${operation} of ${id}`);
    return [...changes, ...byAgent];
  },

  'every event comes from an accepted transition': ({ asked, events }) => {
    const done = new Set(acknowledged(asked, 'appointment').map(({ key }) => key));
    const agents = groupBy(agentsActions(asked), nameOf);
    const ids = new Set();
    return namedFirst(events)
      .filter((event) => {
        const isNew = !ids.has(event.id);
        ids.add(event.id);
        return !isNew || !(done.has(event.request.idempotency_key) || isAgents(event, agents));
      })
      .map(({ id, type, request }) => `${id} ${type} of ${request.idempotency_key}`);
  },

  'previous_attributes tell an unbroken chain for every appointment': ({ events }) =>
    histories(events).flatMap(([id, history]) => {
      const isUnbroken = history.every((event, index) => {
        const { previous_attributes: previous } = event.data;
        const before = history[index - 1]?.data.object.status ?? null;
        return previous.status === before && same(previous, event.previous_attributes);
      });
      const grows = history.every(({ data, sequence }, index) => {
        const before = history[index - 1];
        return !before || (data.object.version > before.data.object.version && sequence > before.sequence);
      });
      if (isUnbroken && grows) return [];
      return [`${id}: ${history.map((event) => `${event.previous_attributes.status}>${event.data.object.status}`).join(' ')}`];
    }),
};
