import { setTimeout as pause } from 'node:timers/promises';
import { App } from './harness/app.js';
import type { Answer, Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { errorOf } from './harness/expectations.js';
import { book } from './harness/ledger.js';
import { Backend, deliveriesOf, deliveryIn, LOCAL_HOOKS, replay, subscribe, type Hook } from './harness/receiver.js';

/** After this much time no attempt begins. */
const GRACE_MS = 2_000;

/** So many attempts may be under way before the first is answered. */
const AT_ONCE = 8;

let app: App;
let backend: Backend;
beforeAll(async () => {
  [app, backend] = await Promise.all([App.start({ ...LOCAL_HOOKS, RETRY_SCHEDULE: '0s,1s,1h' }), Backend.start()]);
});
afterAll(() => Promise.all([app.dispose(), backend.close()]));

interface Subscription {
  readonly client: Client;
  readonly id: string;
  readonly hook: Hook;
  readonly turn: (to: 'pause' | 'resume') => Promise<Answer>;
  readonly patch: (status: string) => Promise<Answer>;
}

async function subscription(hook = backend.hook(200), on = app): Promise<Subscription> {
  const { client, id } = await subscribe(on, hook.url);
  const path = `/v1/webhook_endpoints/${id}`;
  return {
    client,
    id,
    hook,
    turn: (to) => client.post(`${path}/${to}`),
    patch: (status) => client.patch(path, { status }),
  };
}

async function bookedEvent(client: Client): Promise<string> {
  const { body } = await book(client);
  return eventually(async () => {
    const [event] = (await client.get(`/v1/events?object_id=${body.id}`)).body.data;
    return String(event.id);
  });
}

const sentTo = (hook: Hook) => hook.requests.map(({ headers }) => headers['webhook-id']);

describe('a webhook endpoint', () => {
  it('is paused and resumed, tells since when and why, and repeats change nothing', async () => {
    const { client, id, turn } = await subscription();
    const before = (await client.get(`/v1/webhook_endpoints/${id}`)).body;
    expect(before).toMatchObject({ status: 'enabled', paused_at: null, paused_reason: null });
    const paused = await turn('pause');
    expect([paused.status, paused.body]).toMatchObject([200, { id, status: 'paused', paused_reason: 'user' }]);
    expect(paused.body.paused_at).toBe(paused.body.updated_at);
    expect((await turn('pause')).body).toEqual(paused.body);
    const listed = async (status: string) => (await client.get(`/v1/webhook_endpoints?status=${status}`)).body.data;
    expect([await listed('paused'), await listed('enabled')]).toEqual([[paused.body], []]);
    const resumed = await turn('resume');
    expect([resumed.status, resumed.body]).toMatchObject([200, { status: 'enabled', paused_at: null, paused_reason: null }]);
    expect((await turn('resume')).body).toEqual(resumed.body);
  });

  it('is not paused by a change, but resumed or disabled by one', async () => {
    const { turn, patch } = await subscription();
    expect(errorOf(await patch('paused'))).toEqual([400, 'invalid_request_error', 'parameter_invalid', 'status']);
    await turn('pause');
    expect(errorOf(await patch('paused'))).toEqual([400, 'invalid_request_error', 'parameter_invalid', 'status']);
    expect((await patch('enabled')).body).toMatchObject({ status: 'enabled', paused_at: null, paused_reason: null });
    await turn('pause');
    expect((await patch('disabled')).body).toMatchObject({ status: 'disabled', paused_at: null, paused_reason: null });
  });

  it('that is disabled, unknown or of another project is neither paused nor resumed', async () => {
    const { client, id, turn, patch } = await subscription();
    const other = await subscription();
    await patch('disabled');
    for (const to of ['pause', 'resume'] as const) {
      const refused = await turn(to);
      expect([refused.status, refused.body.error.code]).toEqual([409, 'webhook_endpoint_disabled']);
      expect((await client.post(`/v1/webhook_endpoints/we_unknown/${to}`)).status).toBe(404);
      expect((await other.client.post(`/v1/webhook_endpoints/${id}/${to}`)).status).toBe(404);
    }
  });

  it('keeps its pause when other members are changed, and while its secret is rotated', async () => {
    const { client, id, turn } = await subscription();
    const { paused_at } = (await turn('pause')).body;
    const path = `/v1/webhook_endpoints/${id}`;
    expect((await client.patch(path, { description: 'the till' })).body).toMatchObject({ status: 'paused', paused_at });
    expect((await client.post(`${path}/rotate_secret`)).body).toMatchObject({ status: 'paused', paused_at });
  });
});

describe('while an endpoint is paused', () => {
  it('events make deliveries that wait, and all are sent in the order of the events once it is resumed', async () => {
    const { client, hook, turn } = await subscription();
    await turn('pause');
    const events: string[] = [];
    for (let count = 0; count < 10; count++) events.push(await bookedEvent(client));
    await pause(GRACE_MS + 1_000);
    expect(hook.requests).toEqual([]);
    for (const event of events)
      expect(await deliveryIn('pending', client, event)).toMatchObject({ attempt_count: 0, next_attempt_at: null });
    await turn('resume');
    await hook.received(10);
    const sent = sentTo(hook).map(String);
    expect(sent.toSorted()).toEqual(events.toSorted());
    // Several are under way at once, so that one may overtake those begun just before it.
    for (const [place, event] of sent.entries()) expect(Math.abs(place - events.indexOf(event))).toBeLessThan(AT_ONCE);
    for (const event of events) expect(await deliveryIn('succeeded', client, event)).toMatchObject({ attempt_count: 1 });
  });

  it('a retry waits as well, no attempt is used up, and it is due at once with the resumption', async () => {
    const { client, hook, turn } = await subscription(backend.hook(503, 503, 200));
    const event = await bookedEvent(client);
    await eventually(async () => expect((await deliveryIn('retrying', client, event)).attempt_count).toBe(2));
    await turn('pause');
    await eventually(async () => expect((await deliveryIn('retrying', client, event)).next_attempt_at).toBeNull());
    await turn('resume');
    expect(await deliveryIn('succeeded', client, event)).toMatchObject({ attempt_count: 3 });
    expect(hook.requests).toHaveLength(3);
  });

  it('an attempt under way is recorded, and its retry waits', async () => {
    let finish: () => void = () => undefined;
    const hook = backend.hook((_request, response) => {
      finish = () => response.writeHead(503).end();
    }, 200);
    const { client, turn } = await subscription(hook);
    const event = await bookedEvent(client);
    await hook.received(1);
    await turn('pause');
    finish();
    const waiting = await deliveryIn('retrying', client, event);
    expect(waiting).toMatchObject({ attempt_count: 1, next_attempt_at: null, last_response_status: 503 });
    await pause(GRACE_MS);
    expect(hook.requests).toHaveLength(1);
    await turn('resume');
    expect(await deliveryIn('succeeded', client, event)).toMatchObject({ attempt_count: 2 });
  });

  it('tests are sent all the same, and a replay makes a delivery that waits', async () => {
    const { client, id, hook, turn } = await subscription();
    const event = await bookedEvent(client);
    const first = await deliveryIn('succeeded', client, event);
    await turn('pause');
    const test = (await client.post(`/v1/webhook_endpoints/${id}/test`, { type: 'appointment.created' })).body;
    await deliveryIn('succeeded', client, test.event_id);
    const { status, body } = await replay(client, first);
    expect([status, body]).toMatchObject([202, { status: 'pending', trigger: 'replay', next_attempt_at: null }]);
    await pause(GRACE_MS);
    expect(sentTo(hook)).toEqual([event, test.event_id]);
    await turn('resume');
    await hook.received(3);
    expect(await deliveryIn('succeeded', client, event)).toMatchObject({ id: body.id, attempt_count: 1 });
  });

  it.each([
    ['disabled', 'endpoint_disabled'],
    ['deleted', 'endpoint_deleted'],
  ])('what waits is cancelled where it is %s: %s', async (how, cancel_reason) => {
    const { client, id, hook, turn, patch } = await subscription();
    await turn('pause');
    const event = await bookedEvent(client);
    await deliveryIn('pending', client, event);
    await (how === 'deleted' ? client.delete(`/v1/webhook_endpoints/${id}`) : patch('disabled'));
    expect(await deliveryIn('cancelled', client, event)).toMatchObject({ cancel_reason, attempt_count: 0 });
    if (how === 'disabled') await patch('enabled');
    await pause(GRACE_MS);
    expect(hook.requests).toEqual([]);
  });

  it('another endpoint of the project gets its events as ever', async () => {
    const { client, turn } = await subscription();
    const other = backend.hook(200);
    await client.post('/v1/webhook_endpoints', { url: other.url });
    await turn('pause');
    const event = await bookedEvent(client);
    await other.received(1);
    await eventually(async () => {
      const found = await deliveriesOf(client, event);
      expect(found.map(({ status }) => status).toSorted()).toEqual(['pending', 'succeeded']);
    });
  });
});

describe('processes that are killed while an endpoint is paused', () => {
  it('lose none of what waits for it', async () => {
    const own = await App.start(LOCAL_HOOKS);
    const { client, id, hook, turn } = await subscription(backend.hook(200), own);
    await turn('pause');
    const events = [await bookedEvent(client), await bookedEvent(client)];
    await own.restart({});
    const again = own.as(client.token);
    events.push(await bookedEvent(again));
    await pause(GRACE_MS);
    expect(hook.requests).toEqual([]);
    expect((await again.get(`/v1/webhook_endpoints/${id}`)).body.status).toBe('paused');
    await again.patch(`/v1/webhook_endpoints/${id}`, { status: 'enabled' });
    await own.restart({});
    await hook.received(3);
    for (const event of events) await deliveryIn('succeeded', own.as(client.token), event);
    await own.dispose();
  });
});

describe('an endpoint that fails for long', () => {
  it('is paused by the service, loses nothing, and is not paused again at once when it is resumed', async () => {
    const own = await App.start({ ...LOCAL_HOOKS, WEBHOOK_AUTO_PAUSE_AFTER: '1s' });
    const { client, id, hook, turn } = await subscription(backend.hook(404, 404, 404, 404, 404, 200), own);
    for (let count = 0; count < 5; count++) await deliveryIn('failed', client, await bookedEvent(client));
    const shown = () => client.get(`/v1/webhook_endpoints/${id}`);
    await eventually(async () => expect((await shown()).body).toMatchObject({ status: 'paused', paused_reason: 'auto_failing' }));
    const event = await bookedEvent(client);
    expect(await deliveryIn('pending', client, event)).toMatchObject({ attempt_count: 0, next_attempt_at: null });
    expect(hook.requests).toHaveLength(5);
    await turn('resume');
    await deliveryIn('succeeded', client, event);
    expect((await shown()).body).toMatchObject({ status: 'enabled', paused_at: null, failing_since: null });
    await own.dispose();
  });
});
