import { setTimeout as wait } from 'node:timers/promises';
import { done, ENDPOINTS, pathOf } from './endpoints.mjs';

const RECEIVERS = ['steady', 'hesitant'];
const FILTERS = ['appointment.created'];

/** Pauses and resumes an endpoint that no other client touches, as long as there is load, and leaves it resumed. */
export async function pauses({ client, chance, number, isOver, urlOf }) {
  const url = urlOf(RECEIVERS[number % RECEIVERS.length], `/${client.name}-${number}`);
  const body = { url, event_filters: FILTERS, description: client.name };
  const { id } = await done(client.change('POST', ENDPOINTS, body, { kind: 'endpoint' }));
  const change = (kind) => done(client.change('POST', `${pathOf(id)}/${kind}`, undefined, { kind, endpoint: id }));
  const enable = () => done(client.change('PATCH', pathOf(id), { status: 'enabled' }, { kind: 'amendment', endpoint: id }));
  while (!isOver()) {
    await wait(chance.between(300, 2_500));
    await change('pause');
    if (chance.happens(0.2)) await change('pause');
    await wait(chance.between(0, 4_000));
    await (chance.happens(0.3) ? enable() : change('resume'));
  }
}
