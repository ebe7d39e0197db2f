import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { App } from './harness/app.js';
import type { Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { book } from './harness/ledger.js';
import { Backend, deliveriesOf, deliveryIn, LOCAL_HOOKS, replay, subscribe } from './harness/receiver.js';

const CLOCK = pathToFileURL(join(__dirname, 'harness/clock-ahead.mjs')).href;
/** Long enough for attempts that are due, and for two sweeps. */
const A_WHILE_MS = 4_000;
const HELD = { WEBHOOK_DELIVERY: 'hold' };

let backend: Backend;
let app: App;
beforeAll(async () => void (backend = await Backend.start()));
afterAll(() => backend.close());
afterEach(() => app.dispose());

const eventIds = async (client: Client): Promise<string[]> =>
  (await client.get('/v1/events?limit=100')).body.data.map(({ id }: { id: string }) => id).toReversed();

const overdue = async () => /^webhook_deliveries_overdue (\d+)$/m.exec((await app.as(null).get('/metrics')).text)?.[1];

describe('WEBHOOK_DELIVERY=hold', () => {
  it('sends nothing and counts no attempt while all else goes on, and sends all of it once it is on again', async () => {
    app = await App.start({ ...LOCAL_HOOKS, ...HELD });
    const hook = backend.hook(200);
    const { client, id } = await subscribe(app, hook.url);
    for (let n = 0; n < 10; n++) expect((await book(client)).status).toBe(201);
    const test = (await client.post(`/v1/webhook_endpoints/${id}/test`, { type: 'appointment.created' })).body;
    const [first] = await eventIds(client);
    const replayed = (await replay(client, await deliveryIn('pending', client, first))).body;
    expect([test, replayed]).toMatchObject(Array(2).fill({ status: 'pending', attempt_count: 0 }));
    await pause(A_WHILE_MS);
    expect(hook.requests).toEqual([]);
    const events = await eventIds(client);
    for (const event of events.slice(1)) {
      expect(await deliveriesOf(client, event)).toMatchObject([{ status: 'pending', attempt_count: 0, attempts: [] }]);
    }
    expect((await client.get(`/v1/webhook_endpoints/${id}`)).body.failing_since).toBeNull();
    expect(await overdue()).toBe('0');

    await app.restart({ WEBHOOK_DELIVERY: 'on' });
    const received = await hook.received(events.length + 1);
    const sent = received.map(({ headers }) => headers['webhook-id']);
    expect(sent.toSorted()).toEqual([...events, test.event_id].toSorted());
    for (const event of events) await deliveryIn('succeeded', app.as(client.token), event);
  });

  it('leaves a delivery that failed before as it is, and its next attempt is made at once when it is on again', async () => {
    app = await App.start({ ...LOCAL_HOOKS, RETRY_SCHEDULE: '0s,10m,1h', NODE_OPTIONS: `--import=${CLOCK}` });
    const hook = backend.hook(503, 200);
    const { client } = await subscribe(app, hook.url);
    await book(client);
    const before = await deliveryIn('retrying', client);
    await app.restart({ ...HELD, CLOCK_AHEAD_MS: '600000' });
    await pause(A_WHILE_MS);
    const held = app.as(client.token);
    expect(await deliveriesOf(held)).toEqual([before]);
    await app.restart({ WEBHOOK_DELIVERY: 'on' });
    expect(await deliveryIn('succeeded', app.as(client.token))).toMatchObject({ attempt_count: 2 });
    expect(hook.requests).toHaveLength(2);
  });

  it('cancels what waits for an endpoint that is disabled meanwhile', async () => {
    app = await App.start({ ...LOCAL_HOOKS, ...HELD });
    const { client, id } = await subscribe(app, backend.hook(200).url);
    await book(client);
    await deliveryIn('pending', client);
    await client.patch(`/v1/webhook_endpoints/${id}`, { status: 'disabled' });
    expect(await deliveryIn('cancelled', client)).toMatchObject({ cancel_reason: 'endpoint_disabled', attempt_count: 0 });
  });

  it('is named by /ready, which says that the service serves, and by a warning of the start', async () => {
    app = await App.start(HELD);
    const { status, body } = await app.as(null).get('/ready');
    expect([status, body.status, body.degraded]).toEqual([200, 'ready', ['webhook_delivery']]);
    await eventually(() => expect(app.stderr).toContain('WEBHOOK_DELIVERY is hold'));
    await app.restart({ WEBHOOK_DELIVERY: 'on' });
    expect((await app.as(null).get('/ready')).body).not.toHaveProperty('degraded');
    expect(app.stderr).not.toContain('is hold');
  });
});
