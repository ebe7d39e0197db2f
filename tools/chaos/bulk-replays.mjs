import { setTimeout as pause } from 'node:timers/promises';
import { done, ENDPOINTS } from './endpoints.mjs';
import { task } from './tasks.mjs';

const FILTERS = ['appointment.created'];

/** An endpoint that refuses, and one task after the other that replays what it refused lately, slowly enough to be cut by a kill. */
export async function bulkReplays({ client, chance, number, isOver, urlOf }) {
  const url = urlOf('refusing', `/${client.name}-${number}`);
  const body = { url, event_filters: FILTERS, description: client.name };
  const { id } = await done(client.change('POST', ENDPOINTS, body, { kind: 'endpoint' }));
  while (!isOver()) {
    await pause(chance.between(300, 1_500));
    const asked = {
      endpoint_id: id,
      created_at: { gte: new Date(Date.now() - chance.whole(2_000, 6_000)).toISOString() },
      skip_recovered: chance.happens(0.7),
      per_second: chance.whole(8, 30),
    };
    await task(client, '/v1/deliveries/retry', asked, { kind: 'bulk_replay' });
  }
}
