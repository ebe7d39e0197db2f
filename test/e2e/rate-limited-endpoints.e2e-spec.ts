import { App } from './harness/app.js';
import type { Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { book } from './harness/ledger.js';
import { Backend, type Hook, LOCAL_HOOKS, replay, subscribe } from './harness/receiver.js';

const TEN_SECONDS = 10_000;

let app: App;
let backend: Backend;
beforeAll(async () => {
  [app, backend] = await Promise.all([App.start(LOCAL_HOOKS), Backend.start()]);
});
afterAll(() => Promise.all([app.dispose(), backend.close()]));

/** A receiver that notes when each request came. */
function clockedHook(): { readonly hook: Hook; readonly at: readonly number[] } {
  const at: number[] = [];
  const hook = backend.hook((_, response) => {
    at.push(performance.now());
    response.writeHead(200).end();
  });
  return { hook, at };
}

/** The most that came within any ten seconds. */
function mostInTenSeconds(at: readonly number[]): number {
  return Math.max(...at.map((from) => at.filter((each) => each >= from && each < from + TEN_SECONDS).length));
}

async function bookMany(client: Client, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 10) await Promise.all(Array.from({ length: Math.min(10, left) }, () => book(client)));
}

const webhookIds = (hook: Hook) => new Set(hook.requests.map(({ headers }) => headers['webhook-id']));

describe('rate_limit_per_second of a webhook endpoint', () => {
  it('is null when not given, can be changed and removed, and is in every answer', async () => {
    const { client, id } = await subscribe(app, backend.hook().url);
    const path = `/v1/webhook_endpoints/${id}`;
    const limit = async () => (await client.get(path)).body.rate_limit_per_second;
    expect(await limit()).toBeNull();
    for (const rate_limit_per_second of [1, 1_000, null, 5]) {
      const { status, body } = await client.patch(path, { rate_limit_per_second });
      expect([status, body.rate_limit_per_second, await limit()]).toEqual([200, rate_limit_per_second, rate_limit_per_second]);
    }
    expect((await client.patch(path, { description: 'prod' })).body.rate_limit_per_second).toBe(5);
    expect((await client.get('/v1/webhook_endpoints')).body.data).toMatchObject([{ rate_limit_per_second: 5 }]);
  });

  it.each([0, 1_001, 1.5, '5', true])('is a whole number from 1 to 1,000: %j is refused', async (value) => {
    const { client, id } = await subscribe(app, backend.hook().url);
    const refused = { type: 'invalid_request_error', code: 'parameter_invalid', param: 'rate_limit_per_second' };
    for (const answer of [
      await client.post('/v1/webhook_endpoints', { url: backend.hook().url, rate_limit_per_second: value }),
      await client.patch(`/v1/webhook_endpoints/${id}`, { rate_limit_per_second: value }),
    ])
      expect([answer.status, answer.body.error]).toEqual([400, expect.objectContaining(refused)]);
  });

  it('keeps events, tests and replays together to it over any ten seconds, and delays no other endpoint', async () => {
    const [limited, free] = [clockedHook(), clockedHook()];
    const { client, id } = await subscribe(app, limited.hook.url, { rate_limit_per_second: 3 });
    await client.post('/v1/webhook_endpoints', { url: free.hook.url });
    await bookMany(client, 20);
    await free.hook.received(20);
    expect(limited.hook.requests.length).toBeLessThan(20);
    for (let n = 0; n < 10; n++) await client.post(`/v1/webhook_endpoints/${id}/test`, {});
    const events = (await client.get('/v1/events?limit=10')).body.data as { id: string }[];
    for (const event of events) {
      const { data } = (await client.get(`/v1/events/${event.id}/deliveries?endpoint_id=${id}`)).body;
      // A replay supersedes what still waits, so it is one attempt for another.
      await replay(client, { event_id: event.id, id: data[0].id });
    }
    await eventually(() => expect(webhookIds(limited.hook).size).toBe(30));
    expect(limited.hook.requests.length).toBeGreaterThanOrEqual(30);
    expect(mostInTenSeconds(limited.at)).toBeLessThanOrEqual(30);
  });

  it('holds over a crash of the process that makes the attempts', async () => {
    const { hook, at } = clockedHook();
    const { client } = await subscribe(app, hook.url, { rate_limit_per_second: 5 });
    await bookMany(client, 80);
    await hook.received(20);
    await app.kill();
    await app.restart();
    await eventually(() => expect(webhookIds(hook).size).toBe(80));
    expect(mostInTenSeconds(at)).toBeLessThanOrEqual(50);
  });
});
