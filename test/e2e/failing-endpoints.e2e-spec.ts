import { App } from './harness/app.js';
import type { Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { book } from './harness/ledger.js';
import { Backend, deliveryIn, LOCAL_HOOKS, replay, subscribe } from './harness/receiver.js';

let app: App;
let backend: Backend;
beforeAll(async () => {
  [app, backend] = await Promise.all([App.start({ ...LOCAL_HOOKS, RETRY_SCHEDULE: '0s,1h' }), Backend.start()]);
});
afterAll(() => Promise.all([app.dispose(), backend.close()]));

const failingSince = async (client: Client, id: string) => (await client.get(`/v1/webhook_endpoints/${id}`)).body.failing_since;

/** Books, and waits until the delivery of the new event has this status. */
async function bookUntil(state: string, client: Client) {
  const { body } = await book(client);
  const [event] = (await client.get(`/v1/events?object_id=${body.id}`)).body.data;
  return deliveryIn(state, client, event.id);
}

describe('failing_since of a webhook endpoint', () => {
  it.each([
    ['an error that is tried again', 503, 'retrying'],
    ['a final refusal', 404, 'failed'],
  ])('is when the first attempt failed, by %s, and null once one has succeeded', async (_, status, state) => {
    const hook = backend.hook(status, status, 200);
    const { client, id } = await subscribe(app, hook.url);
    expect(await failingSince(client, id)).toBeNull();
    const first = await bookUntil(state, client);
    expect(await failingSince(client, id)).toBe(first.attempts[0].started_at);
    await bookUntil(state, client);
    expect(await failingSince(client, id)).toBe(first.attempts[0].started_at);
    await bookUntil('succeeded', client);
    expect(await failingSince(client, id)).toBeNull();
  });

  it('counts from the last success of whichever delivery, replays among them, tests aside', async () => {
    const hook = backend.hook(500, 200, 500, 200, 500);
    const { client, id } = await subscribe(app, hook.url);
    const test = async (state: string) => {
      const { body } = await client.post(`/v1/webhook_endpoints/${id}/test`, { type: 'appointment.created' });
      return deliveryIn(state, client, body.event_id);
    };
    const first = await bookUntil('retrying', client);
    const replayed = (await replay(client, first)).body;
    await deliveryIn('succeeded', client, replayed.event_id);
    expect(await failingSince(client, id)).toBeNull();
    const second = await bookUntil('retrying', client);
    expect(await failingSince(client, id)).toBe(second.attempts[0].started_at);
    await test('succeeded');
    await test('retrying');
    expect(await failingSince(client, id)).toBe(second.attempts[0].started_at);
  });

  it('is shown by lists and changes alike, and another endpoint has its own', async () => {
    const [down, up] = [backend.hook(500), backend.hook(200)];
    const { client, id } = await subscribe(app, down.url);
    const other = (await client.post('/v1/webhook_endpoints', { url: up.url })).body.id;
    await book(client);
    await Promise.all([down.received(), up.received()]);
    const since = await eventually(async () => {
      const found = await failingSince(client, id);
      expect(found).not.toBeNull();
      return found;
    });
    const list = (await client.get('/v1/webhook_endpoints')).body.data;
    expect(Object.fromEntries(list.map((each: any) => [each.id, each.failing_since]))).toEqual({ [id]: since, [other]: null });
    expect((await client.patch(`/v1/webhook_endpoints/${id}`, { description: 'down' })).body.failing_since).toBe(since);
    expect((await client.post(`/v1/webhook_endpoints/${id}/rotate_secret`)).body.failing_since).toBe(since);
  });

  it('is the same after a restart, and after its read model was made anew', async () => {
    const { client, id } = await subscribe(app, backend.hook(500).url);
    const { attempts } = await bookUntil('retrying', client);
    const { token } = await app.admin();
    expect((await app.as(token).post('/admin/v1/projections/deliveries/rebuild')).status).toBeLessThan(300);
    await eventually(async () => {
      const { body } = await app.as(token).get('/admin/v1/projections');
      const { rebuild } = body.data.find(({ name }: { name: string }) => name === 'deliveries');
      expect(rebuild.state).toBe('done');
    });
    expect(await failingSince(client, id)).toBe(attempts[0].started_at);
    await app.restart();
    expect(await failingSince(app.as(client.token), id)).toBe(attempts[0].started_at);
  });
});
