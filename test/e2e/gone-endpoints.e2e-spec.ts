import { App } from './harness/app.js';
import type { Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { book } from './harness/ledger.js';
import { Backend, deliveriesOf, deliveryIn, LOCAL_HOOKS, replay, subscribe } from './harness/receiver.js';

let app: App;
let backend: Backend;
beforeAll(async () => {
  [app, backend] = await Promise.all([App.start({ ...LOCAL_HOOKS, RETRY_SCHEDULE: '0s,1h' }), Backend.start()]);
});
afterAll(() => Promise.all([app.dispose(), backend.close()]));

const GONE = { status: 'disabled', disabled_reason: 'gone' };
const ENABLED = { status: 'enabled', disabled_reason: null };
const endpoint = async (client: Client, id: string) => (await client.get(`/v1/webhook_endpoints/${id}`)).body;
const isGone = (client: Client, id: string) => eventually(async () => expect(await endpoint(client, id)).toMatchObject(GONE));

describe('disable_on_gone of a webhook endpoint', () => {
  it('is false when not given, can be changed, and is in every answer', async () => {
    const { client, id } = await subscribe(app, backend.hook().url);
    expect(await endpoint(client, id)).toMatchObject({ disable_on_gone: false, ...ENABLED });
    const changed = await client.patch(`/v1/webhook_endpoints/${id}`, { disable_on_gone: true });
    expect(changed.body).toMatchObject({ disable_on_gone: true });
    const kept = await client.patch(`/v1/webhook_endpoints/${id}`, { description: 'prod' });
    expect(kept.body).toMatchObject({ disable_on_gone: true });
    expect((await client.get('/v1/webhook_endpoints')).body.data).toMatchObject([{ disable_on_gone: true }]);
  });

  it.each(['true', 1, {}])('is true or false: %j is refused', async (value) => {
    const { client, id } = await subscribe(app, backend.hook().url);
    const refused = { type: 'invalid_request_error', code: 'parameter_invalid', param: 'disable_on_gone' };
    for (const answer of [
      await client.post('/v1/webhook_endpoints', { url: backend.hook().url, disable_on_gone: value }),
      await client.patch(`/v1/webhook_endpoints/${id}`, { disable_on_gone: value }),
    ])
      expect([answer.status, answer.body.error]).toEqual([400, expect.objectContaining(refused)]);
  });

  it('lets a 410 disable it, and what waits for it is cancelled', async () => {
    const hook = backend.hook(503, 410);
    const { client, id } = await subscribe(app, hook.url, { disable_on_gone: true });
    await book(client);
    const waiting = await deliveryIn('retrying', client);
    await book(client);
    expect(await deliveryIn('failed', client)).toMatchObject({ failure_reason: 'permanent_rejection', attempt_count: 1 });
    await isGone(client, id);
    expect(await deliveryIn('cancelled', client, waiting.event_id)).toMatchObject({ cancel_reason: 'endpoint_disabled' });
    const { body } = await replay(client, waiting);
    expect(body.error.code).toBe('webhook_endpoint_disabled');
    await book(client);
    await eventually(async () => expect((await client.get('/v1/events')).body.data).toHaveLength(3));
    expect(hook.requests).toHaveLength(2);
  });

  it('does so by a test event and by a replay too, and again after it was enabled', async () => {
    const hook = backend.hook(410, 404, 410);
    const { client, id } = await subscribe(app, hook.url, { disable_on_gone: true });
    const path = `/v1/webhook_endpoints/${id}`;
    await client.post(`${path}/test`, {});
    await isGone(client, id);
    expect((await client.patch(path, { status: 'enabled' })).body).toMatchObject(ENABLED);
    await book(client);
    const failed = await deliveryIn('failed', client);
    expect(await endpoint(client, id)).toMatchObject(ENABLED);
    await replay(client, failed);
    await isGone(client, id);
  });

  it('lets nothing disable it that answers otherwise, nor a 410 where it is false', async () => {
    const [other, unasked] = [backend.hook(404), backend.hook(410)];
    const first = await subscribe(app, other.url, { disable_on_gone: true });
    const second = await subscribe(app, unasked.url);
    // One that is disabled after both shows that the others could have been.
    const last = await subscribe(app, backend.hook(410).url, { disable_on_gone: true });
    for (const { client } of [first, second, last]) {
      await book(client);
      await deliveryIn('failed', client);
    }
    await isGone(last.client, last.id);
    for (const { client, id } of [first, second]) expect(await endpoint(client, id)).toMatchObject(ENABLED);
  });

  it('has no reason for an endpoint that its owner disabled', async () => {
    const { client, id } = await subscribe(app, backend.hook().url, { disable_on_gone: true });
    const { body } = await client.patch(`/v1/webhook_endpoints/${id}`, { status: 'disabled' });
    expect(body).toMatchObject({ status: 'disabled', disabled_reason: null });
  });

  it('survives that every process is killed', async () => {
    const hook = backend.hook(410);
    const { client, id } = await subscribe(app, hook.url, { disable_on_gone: true });
    await book(client);
    await hook.received();
    await app.kill();
    await app.restart();
    const again = app.as(client.token);
    await isGone(again, id);
    expect(await deliveriesOf(again)).toMatchObject([{ status: 'failed' }]);
  });
});
