import { setTimeout as pause } from 'node:timers/promises';

export const ENDPOINTS = '/v1/webhook_endpoints';
const FILTERS = [[], ['*'], ['appointment.*'], ['appointment.created', 'appointment.confirmed'], ['appointment.cancelled']];
const RECEIVERS = ['steady', 'flapping', 'flapping'];
const GRACES_S = [0, 1, 3, 3_600];
const WAITING = ['pending', 'retrying'];
const NEWEST = 8;

export const pathOf = (id) => `${ENDPOINTS}/${id}`;

/** Registers, changes and deletes an endpoint that no other client touches. */
export async function endpointLife({ client, chance, number, isOver, urlOf }) {
  const place = () => urlOf(chance.pick(RECEIVERS), `/${client.name}-${number}-${client.keys}`);
  const body = { url: place(), event_filters: chance.pick(FILTERS), description: client.name };
  const { id } = await done(client.change('POST', ENDPOINTS, body, { kind: 'endpoint' }));
  const amend = (changes, more) =>
    done(client.change('PATCH', pathOf(id), changes, { kind: 'amendment', endpoint: id, ...more }));
  const changes = {
    refilter: () => amend({ event_filters: chance.pick(FILTERS) }),
    move: () => amend({ url: place() }),
    rotate: () => rotate(client, chance, id),
    async toggle() {
      await amend({ status: 'disabled' }, { waiting: await waitingFor(client, id) });
      if (chance.happens(0.5)) await pause(chance.between(0, 600));
      if (!isOver() && chance.happens(0.9)) await amend({ status: 'enabled' });
    },
  };
  for (let left = chance.whole(4, 10); left > 0 && !isOver(); left--) {
    await pause(chance.between(100, 1_200));
    await changes[chance.pick(['refilter', 'move', 'rotate', 'rotate', 'toggle', 'toggle'])]();
  }
  if (!isOver()) await remove(client, id);
}

function rotate(client, chance, id) {
  const body = { grace_period_seconds: chance.pick(GRACES_S) };
  return done(client.change('POST', `${pathOf(id)}/rotate_secret`, body, { kind: 'rotation', endpoint: id }));
}

async function remove(client, id) {
  const waiting = await waitingFor(client, id);
  await client.change('DELETE', pathOf(id), undefined, { kind: 'deletion', endpoint: id, keyless: true, waiting });
}

async function waitingFor(client, id) {
  const { data: events } = await client.lookUp(`/v1/events?limit=${NEWEST}`);
  const lists = await Promise.all(events.map((event) => client.lookUp(`/v1/events/${event.id}/deliveries?endpoint_id=${id}`)));
  const waiting = lists.flatMap(({ data }) => data).filter(({ status }) => WAITING.includes(status));
  return waiting.map(({ id: delivery, event_id: event, attempt_count: attempts }) => ({ delivery, event, attempts }));
}

/** The body of an answer that is no refusal. */
export async function done(changing) {
  const { status, text, body } = await changing;
  if (status >= 300) throw new Error(`${status} ${text}`);
  return body;
}
