import { setTimeout as pause } from 'node:timers/promises';
import { done, ENDPOINTS, pathOf } from './endpoints.mjs';
import { task } from './tasks.mjs';

const TYPE = 'appointment.confirmed';
const FORGOTTEN = 0.3;
/** What happened a moment ago may be on its way. */
const SETTLED_AFTER_MS = 1_000;

/** The owner of an endpoint forgets some of what it got, and has it reconciled, one stretch of time after the other. */
export async function reconciliations({ client, chance, number, isOver, urlOf }) {
  const url = urlOf('steady', `/${client.name}-${number}`);
  const body = { url, event_filters: [TYPE], description: client.name };
  const { id, created_at: registeredAt } = await done(client.change('POST', ENDPOINTS, body, { kind: 'endpoint' }));
  for (let since = registeredAt; !isOver();) {
    await pause(chance.between(2_000, 5_000));
    const until = new Date(Date.now() - SETTLED_AFTER_MS).toISOString();
    const got = await gotBy(client, id, { since, until });
    const forgotten = got.filter(() => chance.happens(FORGOTTEN));
    const received = got.filter((event) => !forgotten.includes(event));
    const asked = { since, until, received, per_second: chance.whole(4, 10) };
    await task(client, `${pathOf(id)}/reconcile`, asked, { kind: 'reconciliation', endpoint: id, forgotten });
    since = until;
  }
}

async function gotBy(client, id, { since, until }) {
  const time = `created_at[gte]=${since}&created_at[lt]=${until}`;
  const { data: events } = await client.lookUp(`/v1/events?type=${TYPE}&${time}&limit=100`);
  const { data: deliveries } = await client.lookUp(`/v1/deliveries?endpoint_id=${id}&status=succeeded&limit=100`);
  const delivered = new Set(deliveries.map(({ event_id: event }) => event));
  return events.map((event) => event.id).filter((event) => delivered.has(event));
}
