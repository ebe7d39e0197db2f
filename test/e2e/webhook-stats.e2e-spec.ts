import { App } from './harness/app.js';
import type { Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { errorOf } from './harness/expectations.js';
import { book } from './harness/ledger.js';
import { Backend, deliveryIn, LOCAL_HOOKS, replay, subscribe } from './harness/receiver.js';

let app: App;
let backend: Backend;
beforeAll(async () => {
  [app, backend] = await Promise.all([App.start({ ...LOCAL_HOOKS, RETRY_SCHEDULE: '0s,200ms,1h' }), Backend.start()]);
});
afterAll(() => Promise.all([app.dispose(), backend.close()]));

const HOUR = 3_600_000;
const SPANS = [
  ['1h', 60_000, 60],
  ['24h', HOUR, 24],
  ['7d', 6 * HOUR, 28],
  ['30d', 24 * HOUR, 30],
] as const;
const NO_ATTEMPTS = { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0, none: 0 };
const NOTHING = { succeeded: 0, failed: 0, cancelled: 0, open: 0 };

const path = (id: string, query = '') => `/v1/webhook_endpoints/${id}/stats${query}`;
const statsOf = async (client: Client, id: string, query = '') => (await client.get(path(id, query))).body;
const projectStats = async (client: Client, query = '') => (await client.get(`/v1/webhook_stats${query}`)).body;

/** Books, and waits until the delivery of the new event has this status. */
async function bookUntil(state: string, client: Client) {
  const { body } = await book(client);
  const [event] = (await client.get(`/v1/events?object_id=${body.id}`)).body.data;
  return deliveryIn(state, client, event.id);
}

function totalOf(series: readonly Record<string, number>[], member: string): number {
  return series.reduce((sum, point) => sum + point[member]!, 0);
}

describe('the statistics of a webhook endpoint', () => {
  it('are nothing before anything was sent, over the last 24 hours unless a window is named', async () => {
    const { client, id } = await subscribe(app, backend.hook(200).url);
    const { series, ...stats } = await statsOf(client, id);
    expect(stats).toEqual({
      object: 'webhook_endpoint_stats',
      window: '24h',
      deliveries: NOTHING,
      attempts: NO_ATTEMPTS,
      duration_ms: { p50: null, p95: null, p99: null },
      failing_since: null,
      oldest_pending_at: null,
    });
    expect(series).toHaveLength(24);
    const { at, ...point } = series[0];
    expect([new Date(at).getUTCMinutes(), point]).toEqual([
      0,
      { succeeded: 0, failed: 0, cancelled: 0, attempts: 0, p95_ms: null },
    ]);
  });

  it.each(SPANS)('over %s have spans of %d ms, %d of them, of which the last is not over', async (window, ms, count) => {
    const { client, id } = await subscribe(app, backend.hook(200).url);
    await bookUntil('succeeded', client);
    const before = Date.now();
    const stats = await statsOf(client, id, `?window=${window}`);
    const starts = stats.series.map(({ at }: { at: string }) => Date.parse(at));
    const last = starts.at(-1);
    expect([Math.floor(before / ms) * ms, Math.floor(Date.now() / ms) * ms]).toContain(last);
    expect(starts).toEqual(Array.from({ length: count }, (_, index) => last - (count - 1 - index) * ms));
    expect(stats).toMatchObject({ window, deliveries: { ...NOTHING, succeeded: 1 }, attempts: { ...NO_ATTEMPTS, '2xx': 1 } });
    expect([totalOf(stats.series, 'succeeded'), totalOf(stats.series, 'attempts')]).toEqual([1, 1]);
  });

  it('count deliveries by how they ended and attempts by what was answered, and show what is open now', async () => {
    const hook = backend.hook(500, 200, 301, 503, 404, (_, response) => void response.destroy());
    const { client, id } = await subscribe(app, hook.url);
    await bookUntil('succeeded', client);
    const waiting = await bookUntil('retrying', client);
    await eventually(async () => expect((await statsOf(client, id)).attempts['5xx']).toBe(2));
    await bookUntil('failed', client);
    await bookUntil('retrying', client);
    const stats = await eventually(async () => {
      const found = await statsOf(client, id, '?window=1h');
      expect(found.attempts).toEqual({ '2xx': 1, '3xx': 1, '4xx': 1, '5xx': 2, none: 2 });
      return found;
    });
    expect(stats.deliveries).toEqual({ succeeded: 1, failed: 1, cancelled: 0, open: 2 });
    expect(stats.oldest_pending_at).toBe(waiting.created_at);
    expect(stats.failing_since).toBe((await client.get(`/v1/webhook_endpoints/${id}`)).body.failing_since);
    const { p50, p95, p99 } = stats.duration_ms;
    expect(p50).toBeGreaterThan(0);
    expect(p95).toBeGreaterThanOrEqual(p50);
    expect(p99).toBeGreaterThanOrEqual(p95);
    expect(totalOf(stats.series, 'attempts')).toBe(7);
    expect(Math.max(...stats.series.map((point: { p95_ms: number | null }) => point.p95_ms ?? 0))).toBeLessThanOrEqual(p99);

    await client.patch(`/v1/webhook_endpoints/${id}`, { status: 'disabled' });
    await eventually(async () =>
      expect(await statsOf(client, id)).toMatchObject({
        deliveries: { succeeded: 1, failed: 1, cancelled: 2, open: 0 },
        oldest_pending_at: null,
      }),
    );
  });

  it('count replays, but no tests, which are not what waits either', async () => {
    const hook = backend.hook(500);
    const { client, id } = await subscribe(app, hook.url);
    await client.post(`/v1/webhook_endpoints/${id}/test`, { type: 'appointment.created' });
    await hook.received(2);
    expect(await statsOf(client, id)).toMatchObject({
      deliveries: NOTHING,
      attempts: NO_ATTEMPTS,
      oldest_pending_at: null,
    });
    hook.answers = [200];
    const delivered = await bookUntil('succeeded', client);
    await replay(client, delivered);
    await eventually(async () => expect((await statsOf(client, id)).deliveries).toEqual({ ...NOTHING, succeeded: 2 }));
  });

  it.each(['', '2h', '24H', '1h,24h'])('are refused over the window "%s"', async (window) => {
    const { client, id } = await subscribe(app, backend.hook(200).url);
    for (const stats of [path(id), '/v1/webhook_stats']) {
      const refused = await client.get(`${stats}?window=${window}`);
      expect(errorOf(refused)).toEqual([400, 'invalid_request_error', 'parameter_invalid', 'window']);
    }
  });

  it('are those of no other project, and of no endpoint that is not there', async () => {
    const { client, id } = await subscribe(app, backend.hook(200).url);
    const other = await subscribe(app, backend.hook(200).url);
    await bookUntil('succeeded', client);
    expect(errorOf(await other.client.get(path(id)))).toEqual([404, 'invalid_request_error', 'resource_missing', 'id']);
    expect(await projectStats(other.client)).toMatchObject({ deliveries: NOTHING, attempts: NO_ATTEMPTS });
    await client.delete(`/v1/webhook_endpoints/${id}`);
    expect((await client.get(path(id))).status).toBe(404);
  });
});

describe('the statistics of a project', () => {
  it('are those of all its endpoints together, deleted ones included', async () => {
    const { client, id } = await subscribe(app, backend.hook(200).url);
    const other = (await client.post('/v1/webhook_endpoints', { url: backend.hook(404).url })).body.id;
    await book(client);
    const both = await eventually(async () => {
      const found = await projectStats(client);
      expect(found.deliveries).toEqual({ succeeded: 1, failed: 1, cancelled: 0, open: 0 });
      return found;
    });
    expect(both).toMatchObject({ object: 'webhook_stats', window: '24h', attempts: { ...NO_ATTEMPTS, '2xx': 1, '4xx': 1 } });
    expect(both).not.toHaveProperty('failing_since');
    expect(both.oldest_pending_at).toBeNull();
    expect((await statsOf(client, other)).deliveries).toEqual({ ...NOTHING, failed: 1 });
    await client.delete(`/v1/webhook_endpoints/${id}`);
    expect((await projectStats(client)).deliveries).toEqual(both.deliveries);
  });

  it('are the same after their read model was made anew, and after a restart', async () => {
    const { client, id } = await subscribe(app, backend.hook(500, 200, 503).url);
    await bookUntil('succeeded', client);
    await bookUntil('retrying', client);
    const stats = await eventually(async () => {
      const found = [await statsOf(client, id, '?window=30d'), await projectStats(client, '?window=30d')];
      expect(found).toMatchObject([{ attempts: { '5xx': 3 } }, { attempts: { '5xx': 3 } }]);
      return found;
    });
    const { token } = await app.admin();
    expect((await app.as(token).post('/admin/v1/projections/deliveries/rebuild')).status).toBeLessThan(300);
    await eventually(async () => {
      const { body } = await app.as(token).get('/admin/v1/projections');
      const { rebuild } = body.data.find(({ name }: { name: string }) => name === 'deliveries');
      expect(rebuild.state).toBe('done');
    });
    expect([await statsOf(client, id, '?window=30d'), await projectStats(client, '?window=30d')]).toEqual(stats);
    await app.restart();
    const again = app.as(client.token);
    expect([await statsOf(again, id, '?window=30d'), await projectStats(again, '?window=30d')]).toEqual(stats);
  });
});
