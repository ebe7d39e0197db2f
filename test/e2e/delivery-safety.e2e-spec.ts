import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { App } from './harness/app.js';
import { eventually } from './harness/eventually.js';
import { book } from './harness/ledger.js';
import { Backend, deliveriesOf, deliveryIn, LOCAL_HOOKS, replay, subscribe, verified } from './harness/receiver.js';

const CLOCK = pathToFileURL(join(__dirname, 'harness/clock-ahead.mjs')).href;

let app: App;
let backend: Backend;
beforeAll(async () => void (backend = await Backend.start()));
afterAll(() => backend.close());
afterEach(() => app.dispose());

const start = async (variables: Record<string, string> = {}) => (app = await App.start({ ...LOCAL_HOOKS, ...variables }));

/** A new client with the same key: the restarted service has another address. */
const sameKey = (token: string | null) => app.as(token);

/** Sends a request whose body never ends. */
async function sendHalfOf(head: string): Promise<void> {
  const socket = connect(Number(new URL(app.url).port), '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(`${head}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"phone":`);
  await eventually(async () => expect(await app.requestsInFlight()).toBe(1));
}

describe('after a power cut', () => {
  it('a delivery that waits for its retry arrives, under the same id', async () => {
    await start({ RETRY_SCHEDULE: '0s,2m', NODE_OPTIONS: `--import=${CLOCK}` });
    const hook = backend.hook(503, 200);
    const { client, secret } = await subscribe(app, hook.url);
    await book(client);
    const waiting = await deliveryIn('retrying', client);
    await app.kill();
    await app.restart({ CLOCK_AHEAD_MS: '120000' });
    const delivery = await deliveryIn('succeeded', sameKey(client.token), waiting.event_id);
    expect([delivery.id, delivery.attempt_count]).toEqual([waiting.id, 2]);
    const [first, second] = await hook.received(2);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    if (second) verified(second, secret);
  });

  it('an attempt that was cut counts, and the next one follows at once', async () => {
    await start({ RETRY_SCHEDULE: '0s,1h,1h' });
    const hook = backend.hook(() => undefined, 200);
    const { client } = await subscribe(app, hook.url);
    await book(client);
    await hook.received(1);
    await app.kill();
    await app.restart();
    const api = sameKey(client.token);
    const delivery = await deliveryIn('succeeded', api);
    expect(delivery.attempts).toMatchObject([
      { attempt: 1, response_status: null, error_code: 'network_error' },
      { attempt: 2, response_status: 200, error_code: null },
    ]);
  });

  it('everything that was booked right before it is delivered', async () => {
    await start();
    const hook = backend.hook();
    const { client } = await subscribe(app, hook.url);
    const bookings = await Promise.all(Array.from({ length: 20 }, () => book(client)));
    await app.kill();
    await app.restart();
    await hook.received(bookings.length);
    await eventually(async () => {
      const { body } = await sameKey(client.token).get('/v1/events?limit=100');
      expect(body.data.map(({ delivery_summary }: any) => delivery_summary.succeeded)).toEqual(bookings.map(() => 1));
    });
    const ids = new Set(hook.requests.map(({ headers }) => headers['webhook-id']));
    expect(ids.size).toBe(bookings.length);
  });

  it('a restart sends nothing twice', async () => {
    await start();
    const hook = backend.hook();
    const { client } = await subscribe(app, hook.url);
    await book(client);
    await deliveryIn('succeeded', client);
    await app.restart();
    const api = sameKey(client.token);
    await book(api);
    await hook.received(2);
    await deliveryIn('succeeded', api);
    expect(hook.requests).toHaveLength(2);
    expect((await api.get('/v1/events')).body.data).toHaveLength(2);
  });
});

describe('an address that is not open', () => {
  it('gets no packet, and the attempts say why', async () => {
    await start({ RETRY_SCHEDULE: '0s,100ms' });
    const hook = backend.hook();
    const { client } = await subscribe(app, hook.url);
    await app.restart({ WEBHOOK_ALLOW_CIDRS: '' });
    const api = sameKey(client.token);
    await book(api);
    const delivery = await deliveryIn('failed', api);
    expect(delivery).toMatchObject({ attempt_count: 2, failure_reason: 'attempts_exhausted' });
    expect(delivery.attempts.map((attempt: any) => attempt.error_code)).toEqual(['ssrf_blocked', 'ssrf_blocked']);
    expect(hook.requests).toEqual([]);
  });
});

describe('what must not be told', () => {
  it('a signing secret is stored nowhere as it is, and is in no log', async () => {
    await start({ LOG_LEVEL: 'trace' });
    const client = await app.otherProject();
    const hook = backend.hook();
    const key = { 'idempotency-key': 'register-1' };
    const registered = await client.post('/v1/webhook_endpoints', { url: hook.url }, key);
    const path = `/v1/webhook_endpoints/${registered.body.id}`;
    const rotated = await client.post(`${path}/rotate_secret`, {}, { 'idempotency-key': 'rotate-1' });
    await client.post('/v1/webhook_endpoints', { url: hook.url }, key);
    await book(client);
    await deliveryIn('succeeded', client);
    await app.stop();
    const kept = await app.stored();
    expect(kept.includes(registered.body.id)).toBe(true);
    for (const { secret } of [registered.body, rotated.body]) {
      const bare = secret.replace('whsec_', '');
      for (const form of [Buffer.from(bare), Buffer.from(bare, 'base64'), Buffer.from(Buffer.from(secret).toString('base64'))]) {
        expect(kept.includes(form)).toBe(false);
      }
      expect(app.log).not.toContain(bare);
    }
  });

  it('nothing personal, and nothing that a receiver said, is in the log', async () => {
    await start({ LOG_LEVEL: 'trace' });
    const hook = backend.hook((_, response) => void response.writeHead(400, { 'x-canary': 'canary-header' }).end('canary-body'));
    const { client, secret } = await subscribe(app, hook.url, { headers: { 'X-Token': 'canary-token' } });
    const customer = { phone: '+4915199988877', email: 'canary@example.com', name: 'Canary Name' };
    const call = await client.post('/v1/sessions', { direction: 'inbound', from: customer.phone, customer });
    await client.post(`/v1/sessions/${call.body.id}/turns`, { role: 'user', content: 'canary-turn' });
    await book(client, { session_id: call.body.id, notes: 'canary-notes', metadata: { canary: 'canary-metadata' } });
    await replay(client, await deliveryIn('failed', client));
    await eventually(async () => expect((await deliveriesOf(client)).map(({ status }) => status)).toEqual(['failed', 'failed']));
    await app.stop();
    expect(app.log).toContain('/v1/appointments');
    for (const told of ['canary', customer.phone, secret, String(client.token)])
      expect(app.log.toLowerCase()).not.toContain(told.toLowerCase());
  });
});

describe('SIGTERM', () => {
  it('waits at most 20 s for an attempt and for half a request; an attempt that takes longer is made again by the next start', async () => {
    await start({ WEBHOOK_TIMEOUT_MS: '60000' });
    const hook = backend.hook(() => undefined, 200);
    const { client } = await subscribe(app, hook.url);
    await book(client);
    await hook.received();
    await sendHalfOf(`POST /v1/customers HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${client.token}`);
    const askedAt = Date.now();
    expect(await app.stop()).toBe(0);
    expect(Date.now() - askedAt).toBeLessThan(40_000);
    await app.restart();
    const delivery = await deliveryIn('succeeded', sameKey(client.token));
    expect(delivery.attempts.map(({ error_code }: { error_code: string | null }) => error_code)).toEqual(['network_error', null]);
    expect(await hook.received(2)).toHaveLength(2);
  });
});
