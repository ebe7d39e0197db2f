import { App } from './harness/app.js';
import type { Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { errorOf } from './harness/expectations.js';
import { book, change } from './harness/ledger.js';
import { Backend, deliveriesOf, deliveryIn, LOCAL_HOOKS, subscribe } from './harness/receiver.js';
import { completed, LONG_AGO } from './harness/tasks.js';

const UNKNOWN = '01J9Z3K8Q4T6V8X0A2C4E6G8J0';

let app: App;
let backend: Backend;
beforeAll(async () => {
  [app, backend] = await Promise.all([App.start({ ...LOCAL_HOOKS, RETRY_SCHEDULE: '0s,1h' }), Backend.start()]);
});
afterAll(() => Promise.all([app.dispose(), backend.close()]));

type Work = 'recover' | 'replay_missing' | 'reconcile';
interface Endpoint {
  readonly client: Client;
  readonly id: string;
}

const ask = ({ client, id }: Endpoint, work: Work, body: object) => client.post(`/v1/webhook_endpoints/${id}/${work}`, body);
const soon = () => new Date(Date.now() + 60_000).toISOString();

/** The task of this request, once it is over. */
async function done(endpoint: Endpoint, work: Work, body: object): Promise<any> {
  return completed(endpoint.client, await ask(endpoint, work, { since: LONG_AGO, ...body }));
}

/** Books, and returns the id of the new event. */
async function emit(client: Client): Promise<string> {
  const { body } = await book(client);
  return (await client.get(`/v1/events?object_id=${body.id}`)).body.data[0].id;
}

/** Books, and waits until the delivery of the new event has this status. */
async function emitUntil(state: string, client: Client): Promise<string> {
  const eventId = await emit(client);
  await deliveryIn(state, client, eventId);
  return eventId;
}

async function darkened({ client, id }: Endpoint, happen: () => Promise<string>): Promise<string> {
  await client.patch(`/v1/webhook_endpoints/${id}`, { status: 'disabled' });
  const eventId = await happen();
  await eventually(async () =>
    expect((await client.get(`/v1/events/${eventId}/explain`)).body.endpoints[0].reason).toBe('endpoint_disabled'),
  );
  await client.patch(`/v1/webhook_endpoints/${id}`, { status: 'enabled' });
  return eventId;
}

describe('POST /v1/webhook_endpoints/{id}/recover', () => {
  it('sends what failed and what was cancelled by the disabling, of events of that time, each once', async () => {
    const hook = backend.hook(404);
    const endpoint = await subscribe(app, hook.url);
    const { client, id } = endpoint;
    await emitUntil('failed', client);
    const failed = await emitUntil('failed', client);
    const since = (await client.get(`/v1/events/${failed}`)).body.created_at as string;
    hook.answers = [503];
    const cut = await emitUntil('retrying', client);
    await client.patch(`/v1/webhook_endpoints/${id}`, { status: 'disabled' });
    await deliveryIn('cancelled', client, cut);
    await client.patch(`/v1/webhook_endpoints/${id}`, { status: 'enabled' });
    hook.answers = [200];
    const before = hook.requests.length;
    const dry = await done(endpoint, 'recover', { since, dry_run: true });
    expect(dry.result).toMatchObject({ matched: 2, created: 0, would_create: 2 });
    const task = await done(endpoint, 'recover', { since });
    expect(task).toMatchObject({
      kind: 'endpoint.recover',
      webhook_endpoint_id: id,
      parameters: { since, mode: 'all', per_second: 50, dry_run: false },
      progress: { examined: 2, total: 2 },
      result: { matched: 2, created: 2 },
    });
    await hook.received(before + 2);
    // Attempts that begin within milliseconds may arrive in any order.
    expect(hook.eventIds.slice(before).toSorted()).toEqual([failed, cut].toSorted());
    const [fresh, original] = [await deliveryIn('succeeded', client, cut), (await deliveriesOf(client, cut))[1]];
    expect(fresh).toMatchObject({ trigger: 'bulk_replay', replay_of: original.id });
    expect((await done(endpoint, 'recover', { since })).result).toMatchObject({ created: 0, skipped: { recovered: 2 } });
  });

  it('sends only the newest event of each appointment where that is asked for', async () => {
    const hook = backend.hook(404);
    const endpoint = await subscribe(app, hook.url);
    const { body } = await book(endpoint.client);
    await change(endpoint.client, body.id, 'confirm');
    await hook.received(2);
    const events = (await endpoint.client.get('/v1/events')).body.data;
    for (const event of events) await deliveryIn('failed', endpoint.client, event.id);
    hook.answers = [200];
    const { result } = await done(endpoint, 'recover', { mode: 'latest' });
    expect(result).toMatchObject({ created: 1, skipped: { superseded: 1 } });
    await hook.received(3);
    expect(hook.eventIds.slice(2)).toEqual([events[0].id]);
  });
});

describe('POST /v1/webhook_endpoints/{id}/replay_missing', () => {
  it('sends what happened before the registration and while it was disabled, and nothing twice', async () => {
    const other = backend.hook(200);
    const { client } = await subscribe(app, other.url, { event_filters: ['appointment.cancelled'] });
    const early = await emit(client);
    const hook = backend.hook(200);
    const { id } = (await client.post('/v1/webhook_endpoints', { url: hook.url })).body;
    const endpoint = { client, id };
    const usual = await emit(client);
    await hook.received();
    await client.patch(`/v1/webhook_endpoints/${id}`, { status: 'disabled' });
    const dark = await emit(client);
    await client.patch(`/v1/webhook_endpoints/${id}`, { status: 'enabled' });
    const task = await done(endpoint, 'replay_missing', { event_types: ['appointment.*'] });
    expect(task).toMatchObject({
      kind: 'endpoint.replay_missing',
      parameters: { since: LONG_AGO, event_types: ['appointment.*'], mode: 'all', per_second: 50, dry_run: false },
      result: { matched: 2, created: 2 },
    });
    await hook.received(3);
    expect(hook.eventIds[0]).toBe(usual);
    expect(hook.eventIds.slice(1).toSorted()).toEqual([early, dark].toSorted());
    expect(await deliveryIn('succeeded', client, early)).toMatchObject({ trigger: 'bulk_replay', replay_of: null });
    expect((await done(endpoint, 'replay_missing', {})).result).toMatchObject({ matched: 0, created: 0 });
    expect(other.requests).toEqual([]);
  });

  it('sends what passes filters that were set later, of the types that are asked for', async () => {
    const hook = backend.hook(200);
    const endpoint = await subscribe(app, hook.url, { event_filters: ['appointment.cancelled'] });
    const { client, id } = endpoint;
    const eventId = await emit(client);
    await client.patch(`/v1/webhook_endpoints/${id}`, { event_filters: ['appointment.created'] });
    const warned = await ask(endpoint, 'replay_missing', { since: LONG_AGO, event_types: ['order.paid'], dry_run: true });
    expect([warned.status, warned.headers.get('service-warning')]).toEqual([202, expect.stringContaining('event_types')]);
    const types = { event_types: ['appointment.confirmed'] };
    expect((await done(endpoint, 'replay_missing', types)).result).toMatchObject({ matched: 0 });
    const { created_at: at } = (await client.get(`/v1/events/${eventId}`)).body;
    expect((await done(endpoint, 'replay_missing', { until: at })).result).toMatchObject({ matched: 0 });
    expect((await done(endpoint, 'replay_missing', { since: at })).result).toMatchObject({ matched: 1, created: 1 });
    await hook.received();
    expect(hook.eventIds).toEqual([eventId]);
  });
});

describe('POST /v1/webhook_endpoints/{id}/reconcile', () => {
  it('sends exactly what the receiver has lost or was never sent, and finds none afterwards', async () => {
    const hook = backend.hook(200);
    const endpoint = await subscribe(app, hook.url);
    const { client } = endpoint;
    const kept = await emitUntil('succeeded', client);
    const lost = await emitUntil('succeeded', client);
    const dark = await darkened(endpoint, () => emit(client));
    const until = soon();
    const task = await done(endpoint, 'reconcile', { until, received: [kept, `evt_${UNKNOWN}`] });
    expect(task).toMatchObject({
      kind: 'endpoint.reconcile',
      parameters: { since: LONG_AGO, until, received: 2, per_second: 50, dry_run: false },
      result: { matched: 2, created: 2, expected: 3, missing: 2, unknown: { count: 0, ids: [] } },
    });
    await hook.received(4);
    expect(hook.eventIds.slice(2).toSorted()).toEqual([lost, dark].toSorted());
    const all = { until, received: [kept, lost, dark] };
    for (const eventId of [lost, dark]) await deliveryIn('succeeded', client, eventId);
    expect((await done(endpoint, 'reconcile', all)).result).toMatchObject({ expected: 3, missing: 0, created: 0 });
    expect(hook.requests).toHaveLength(4);
  });

  it('does not miss what is on its way, and names what the endpoint was never to get', async () => {
    const hook = backend.hook(503);
    const endpoint = await subscribe(app, hook.url, { event_filters: ['appointment.created'] });
    const { client } = endpoint;
    const { body } = await book(client);
    await deliveryIn('retrying', client);
    await change(client, body.id, 'confirm');
    const [confirmed] = (await client.get('/v1/events?limit=1')).body.data;
    const asked = { until: soon(), received: [confirmed.id], dry_run: true };
    const { result } = await done(endpoint, 'reconcile', asked);
    expect(result).toMatchObject({ expected: 1, missing: 0, would_create: 0, unknown: { count: 1, ids: [confirmed.id] } });
  });

  it('leaves out the last minute when no end is given', async () => {
    const endpoint = await subscribe(app, backend.hook(404).url);
    await emitUntil('failed', endpoint.client);
    const { parameters, result } = await done(endpoint, 'reconcile', { received: [] });
    expect(result).toMatchObject({ expected: 0, missing: 0 });
    const ago = Date.now() - Date.parse(parameters.until);
    expect(ago).toBeGreaterThan(59_000);
    expect(ago).toBeLessThan(120_000);
  });

  it('takes five thousand ids', async () => {
    const endpoint = await subscribe(app, backend.hook(200).url);
    const time = (await emit(endpoint.client)).slice(0, -16);
    const many = Array.from({ length: 5_000 }, (_, index) => `${time}${String(index).padStart(16, '0')}`);
    const { parameters, result } = await done(endpoint, 'reconcile', { until: soon(), received: many, dry_run: true });
    expect([parameters.received, result.unknown.count, result.unknown.ids.length]).toEqual([5_000, 5_000, 20]);
    const more = await ask(endpoint, 'reconcile', { since: LONG_AGO, received: [...many, many[0]] });
    expect(errorOf(more)).toEqual([400, 'invalid_request_error', 'parameter_invalid', 'received']);
  });
});

describe('a task about an endpoint', () => {
  const bodyFor = (work: Work) => ({ since: LONG_AGO, ...(work === 'reconcile' && { received: [] }) });
  const WORKS: readonly Work[] = ['recover', 'replay_missing', 'reconcile'];

  it.each(WORKS)('is refused (%s) on a disabled endpoint and on an unknown one', async (work) => {
    const endpoint = await subscribe(app, backend.hook(200).url);
    const { client, id } = endpoint;
    await client.patch(`/v1/webhook_endpoints/${id}`, { status: 'disabled' });
    const refused = await ask(endpoint, work, { ...bodyFor(work), dry_run: true });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'webhook_endpoint_disabled']);
    const unknown = await ask({ client, id: `we_${UNKNOWN}` }, work, bodyFor(work));
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'resource_missing']);
  });

  it.each<[string, Work, object, string, string]>([
    ['without a beginning', 'recover', {}, 'parameter_missing', 'since'],
    ['with what is no time', 'recover', { since: 'yesterday' }, 'parameter_invalid', 'since'],
    ['with an end before its beginning', 'recover', { since: LONG_AGO, until: LONG_AGO }, 'time_range_invalid', 'until'],
    ['with another mode', 'recover', { since: LONG_AGO, mode: 'some' }, 'parameter_invalid', 'mode'],
    ['with too high a pace', 'replay_missing', { since: LONG_AGO, per_second: 501 }, 'parameter_invalid', 'per_second'],
    [
      'with what is no kind of event',
      'replay_missing',
      { since: LONG_AGO, event_types: ['A'] },
      'parameter_invalid',
      'event_types',
    ],
    ['without what was received', 'reconcile', { since: LONG_AGO }, 'parameter_missing', 'received'],
    ['with what are no ids of events', 'reconcile', { since: LONG_AGO, received: ['whd_1'] }, 'parameter_invalid', 'received'],
    ['with no list', 'reconcile', { since: LONG_AGO, received: 'evt_1' }, 'parameter_invalid', 'received'],
  ])('is refused %s', async (_, work, body, code, param) => {
    const endpoint = await subscribe(app, backend.hook(200).url);
    const { status, body: answer } = await ask(endpoint, work, body);
    expect([status, answer.error.code, answer.error.param]).toEqual([400, code, param]);
  });
});
