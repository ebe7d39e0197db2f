import { App } from './harness/app.js';
import type { Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { book } from './harness/ledger.js';
import { Backend, LOCAL_HOOKS, subscribe, type Hook } from './harness/receiver.js';

/** More than a task keeps unattempted at an endpoint. */
const EVENTS = 520;
const MAX_UNATTEMPTED = 500;
/** A task makes as many at once: there is room for all of them, or for none. */
const MAX_AT_ONCE = 25;
/** Bookings. */
const AT_ONCE = 20;

let app: App;
let backend: Backend;
beforeAll(async () => {
  [app, backend] = await Promise.all([App.start({ ...LOCAL_HOOKS, RETRY_SCHEDULE: '0s,1h' }), Backend.start()]);
});
afterAll(() => Promise.all([app.dispose(), backend.close()]));

async function bookMany(client: Client): Promise<void> {
  for (let left = EVENTS; left > 0; left -= AT_ONCE) await Promise.all(Array.from({ length: AT_ONCE }, () => book(client)));
}

const sentAgain = (hook: Hook) => hook.requests.slice(EVENTS).map(({ body }) => String(JSON.parse(String(body)).id));

describe('a replay over a whole project', () => {
  it('goes on with other endpoints where a paused one has enough that waits, and with that one once it is resumed', async () => {
    const hook = backend.hook(404);
    const pausedHook = backend.hook(404);
    const { client } = await subscribe(app, hook.url);
    const { id: pausedId } = (await client.post('/v1/webhook_endpoints', { url: pausedHook.url })).body;
    await bookMany(client);
    await Promise.all([hook.received(EVENTS), pausedHook.received(EVENTS)]);
    const unfinished = () => client.get('/v1/deliveries?status=pending,retrying,delivering&limit=1');
    await eventually(async () => expect((await unfinished()).body.data).toEqual([]));
    hook.answers = pausedHook.answers = [200];
    await client.post(`/v1/webhook_endpoints/${pausedId}/pause`);

    const asked = await client.post('/v1/deliveries/retry', { created_at: { gte: '2020-01-01T00:00:00Z' }, per_second: 500 });
    const task = async () => (await client.get(`/v1/tasks/${asked.body.id}`)).body;
    await hook.received(2 * EVENTS);
    expect(await task()).toMatchObject({ status: 'running', webhook_endpoint_id: null });
    expect(pausedHook.requests).toHaveLength(EVENTS);
    await eventually(async () =>
      expect((await task()).result.created).toBeGreaterThanOrEqual(EVENTS + MAX_UNATTEMPTED - MAX_AT_ONCE),
    );
    expect((await task()).result.created).toBeLessThanOrEqual(EVENTS + MAX_UNATTEMPTED);

    await client.post(`/v1/webhook_endpoints/${pausedId}/resume`);
    await pausedHook.received(2 * EVENTS);
    await eventually(async () => expect((await task()).status).toBe('completed'));
    expect((await task()).progress).toEqual({ examined: 2 * EVENTS, total: 2 * EVENTS });
    expect((await task()).result).toMatchObject({ matched: 2 * EVENTS, created: 2 * EVENTS });
    for (const each of [hook, pausedHook]) expect(new Set(sentAgain(each)).size).toBe(EVENTS);
    expect([hook.requests.length, pausedHook.requests.length]).toEqual([2 * EVENTS, 2 * EVENTS]);
  });
});
