import { API_KEY, App } from './harness/app.js';
import type { Client } from './harness/client.js';
import { errorOf } from './harness/expectations.js';
import { book, change, nextSlot } from './harness/ledger.js';
import { runPage } from './harness/page.js';
import { Backend, deliveriesOf, deliveryIn, LOCAL_HOOKS, noneIn, subscribe } from './harness/receiver.js';
import { completed } from './harness/tasks.js';

let app: App;
let backend: Backend;
beforeAll(async () => {
  [app, backend] = await Promise.all([App.start({ ...LOCAL_HOOKS, RETRY_SCHEDULE: '0s,1h' }), Backend.start()]);
});
afterAll(() => Promise.all([app.dispose(), backend.close()]));

const ask = (client: Client, body: object) => client.post('/v1/deliveries/retry', body);

/** The task of this request, once it is over. */
async function retried(client: Client, body: object): Promise<any> {
  return completed(client, await ask(client, body));
}

/** Books, and waits until the delivery of the new event has this status. */
async function bookUntil(state: string, client: Client) {
  const { body } = await book(client);
  const [event] = (await client.get(`/v1/events?object_id=${body.id}`)).body.data;
  return { appointmentId: body.id as string, ...(await deliveryIn(state, client, event.id)) };
}

describe('POST /v1/deliveries/retry', () => {
  it('replays what failed, oldest first, and tells before in a dry run what it would do', async () => {
    const hook = backend.hook(404);
    const { client, id } = await subscribe(app, hook.url);
    const failed = [await bookUntil('failed', client), await bookUntil('failed', client)];
    hook.answers = [200];
    const dry = await retried(client, { endpoint_id: id, dry_run: true });
    expect(dry.result).toMatchObject({ matched: 2, created: 0, would_create: 2, events: 2, appointments: 2 });
    expect(dry.result.sample).toEqual(failed.map((delivery) => delivery.id));
    expect(Date.parse(dry.result.newest_event_at)).toBeGreaterThan(Date.parse(dry.result.oldest_event_at));
    expect(hook.requests).toHaveLength(2);
    const task = await retried(client, { endpoint_id: id, per_second: 4 });
    expect(task.result).toMatchObject({ matched: 2, created: 2 });
    expect(task.result).not.toHaveProperty('would_create');
    await hook.received(4);
    expect(hook.eventIds.slice(2)).toEqual(failed.map(({ event_id }) => event_id));
    for (const original of failed) {
      const fresh = await deliveryIn('succeeded', client, original.event_id);
      expect(fresh).toMatchObject({ trigger: 'bulk_replay', replay_of: original.id });
    }
  });

  it('takes the place of deliveries whose next attempt is hours away', async () => {
    const hook = backend.hook(503);
    const { client, id } = await subscribe(app, hook.url);
    const waiting = await bookUntil('retrying', client);
    hook.answers = [200];
    expect((await retried(client, { endpoint_id: id })).result.matched).toBe(0);
    expect((await retried(client, { endpoint_id: id, status: ['failed', 'retrying'] })).result.created).toBe(1);
    const fresh = await deliveryIn('succeeded', client, waiting.event_id);
    const original = (await deliveriesOf(client, waiting.event_id)).find((delivery: any) => delivery.id === waiting.id);
    expect(original).toMatchObject({ status: 'cancelled', cancel_reason: 'superseded', superseded_by: fresh.id });
  });

  it('leaves out what has come through since, unless it is told not to', async () => {
    const hook = backend.hook(404, 200);
    const { client, id } = await subscribe(app, hook.url);
    await bookUntil('failed', client);
    await retried(client, { endpoint_id: id });
    await hook.received(2);
    await deliveryIn('succeeded', client);
    expect((await retried(client, { endpoint_id: id })).result).toMatchObject({ created: 0, skipped: { recovered: 1 } });
    expect((await retried(client, { endpoint_id: id, skip_recovered: false })).result.created).toBe(1);
    await hook.received(3);
  });

  it('sends only the newest event of each appointment where that is asked for', async () => {
    const hook = backend.hook(404);
    const { client, id } = await subscribe(app, hook.url);
    const { appointmentId } = await bookUntil('failed', client);
    await change(client, appointmentId, 'confirm');
    await change(client, appointmentId, 'reschedule', { starts_at: nextSlot() });
    await hook.received(3);
    const [newest] = (await client.get('/v1/events?limit=1')).body.data;
    await noneIn(['pending', 'delivering'], client, id);
    hook.answers = [200];
    const { result } = await retried(client, { endpoint_id: id, mode: 'latest' });
    expect(result).toMatchObject({ matched: 3, created: 1, skipped: { superseded: 2 } });
    await hook.received(4);
    expect(hook.eventIds.slice(3)).toEqual([newest.id]);
  });

  it('counts what can no longer be sent, by its reason', async () => {
    const hook = backend.hook(404);
    const { client, id } = await subscribe(app, hook.url);
    await bookUntil('failed', client);
    await client.patch(`/v1/webhook_endpoints/${id}`, { status: 'disabled' });
    const { result } = await retried(client, { endpoint_id: id });
    expect(result).toMatchObject({ matched: 1, created: 0, skipped: { endpoint_unavailable: 1 } });
    await client.delete(`/v1/webhook_endpoints/${id}`);
    expect((await retried(client, { endpoint_id: id })).result.skipped.endpoint_unavailable).toBe(1);
  });

  it('selects by event type, appointment, time, answer and error', async () => {
    const hook = backend.hook(404);
    const { client, id } = await subscribe(app, hook.url);
    const [one, other] = [await bookUntil('failed', client), await bookUntil('failed', client)];
    const matched = async (body: object) => (await retried(client, { ...body, dry_run: true })).result.sample;
    expect(await matched({ object_id: other.appointmentId })).toEqual([other.id]);
    expect(await matched({ created_at: { gte: other.created_at } })).toEqual([other.id]);
    expect(await matched({ endpoint_id: id, created_at: { lt: other.created_at } })).toEqual([one.id]);
    expect(await matched({ endpoint_id: id, event_type: 'appointment.cancelled' })).toEqual([]);
    expect(await matched({ endpoint_id: id, response_status_class: '4xx' })).toEqual([one.id, other.id]);
    expect(await matched({ endpoint_id: id, response_status_class: '5xx' })).toEqual([]);
    expect(await matched({ endpoint_id: id, error_code: 'timeout' })).toEqual([]);
  });

  it.each([
    ['without an endpoint, an appointment or a lower bound', {}, 'parameter_missing', 'endpoint_id'],
    ['with an upper bound alone', { created_at: { lt: '2026-01-01T00:00:00Z' } }, 'parameter_missing', 'endpoint_id'],
    ['with a status that is not open to it', { status: ['succeeded'] }, 'parameter_invalid', 'status'],
    ['with no status', { status: [] }, 'parameter_invalid', 'status'],
    ['with another mode', { mode: 'some' }, 'parameter_invalid', 'mode'],
    ['with too high a pace', { per_second: 501 }, 'parameter_invalid', 'per_second'],
    ['with no pace', { per_second: 0 }, 'parameter_invalid', 'per_second'],
    ['with a class of answers that there is not', { response_status_class: '6xx' }, 'parameter_invalid', 'response_status_class'],
    ['with an error that there is not', { error_code: 'bad' }, 'parameter_invalid', 'error_code'],
    ['with what is no kind of event', { event_type: 'Appointment' }, 'parameter_invalid', 'event_type'],
    ['with what is no id of an endpoint', { endpoint_id: 'whd_1' }, 'parameter_invalid', 'endpoint_id'],
    ['with what is no time', { created_at: { gte: 'yesterday' } }, 'parameter_invalid', 'gte'],
  ])('is refused %s', async (_, body, code, param) => {
    const bound = code === 'parameter_missing' || 'created_at' in body ? {} : { created_at: { gte: '2026-01-01T00:00:00Z' } };
    const { status, body: answer } = await ask(app.api, { ...bound, ...body });
    expect([status, answer.error.code, answer.error.param]).toEqual([400, code, param]);
  });

  it('is refused for an endpoint or an appointment that is unknown', async () => {
    const unknown = '01J9Z3K8Q4T6V8X0A2C4E6G8J0';
    expect(errorOf(await ask(app.api, { endpoint_id: `we_${unknown}` }))).toEqual([
      404,
      'invalid_request_error',
      'resource_missing',
      'endpoint_id',
    ]);
    expect(errorOf(await ask(app.api, { object_id: `apt_${unknown}` }))).toEqual([
      404,
      'invalid_request_error',
      'resource_missing',
      'object_id',
    ]);
  });
});

describe('the page on deliveries', () => {
  it('says what its commands do', async () => {
    const hook = backend.hook(404);
    const { id } = (await app.api.post('/v1/webhook_endpoints', { url: hook.url })).body;
    const failed = await bookUntil('failed', app.api);
    hook.answers = [200];
    const filledIn = {
      'sk_…': API_KEY,
      'http://127.0.0.1:3000': app.url,
      'we_…': id,
      '2026-11-26T00:00:00Z': '2020-01-01T00:00:00Z',
    };
    const [found = '', dry = '', asked = '', recovery = ''] = await runPage('docs/operations/webhooks.md', filledIn);
    expect(JSON.parse(found).data).toMatchObject([{ id: failed.id, status: 'failed' }]);
    expect(JSON.parse(dry)).toMatchObject({ object: 'task', dry_run: true, parameters: { mode: 'latest' } });
    expect(JSON.parse(asked)).toMatchObject({ object: 'task', dry_run: false, parameters: { mode: 'latest' } });
    expect(JSON.parse(recovery)).toMatchObject({ kind: 'endpoint.recover', webhook_endpoint_id: id, dry_run: true });
    await hook.received(2);
  });
});
