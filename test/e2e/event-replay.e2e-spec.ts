import { App } from './harness/app.js';
import type { Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { errorOf } from './harness/expectations.js';
import { book } from './harness/ledger.js';
import { Backend, deliveriesOf, deliveryIn, LOCAL_HOOKS, subscribe } from './harness/receiver.js';

const UNKNOWN = 'we_01J9Z3K8Q4T6V8X0A2C4E6G8J0';

let app: App;
let backend: Backend;
beforeAll(async () => {
  [app, backend] = await Promise.all([App.start({ ...LOCAL_HOOKS, RETRY_SCHEDULE: '0s,1h' }), Backend.start()]);
});
afterAll(() => Promise.all([app.dispose(), backend.close()]));

const missing = (param: string) => [404, 'invalid_request_error', 'resource_missing', param];

async function register(client: Client, url: string, ...event_filters: readonly string[]): Promise<string> {
  return (await client.post('/v1/webhook_endpoints', { url, event_filters })).body.id;
}

/** Books, and returns the id of the event. */
async function emit(client: Client): Promise<string> {
  const { body } = await book(client);
  return (await client.get(`/v1/events?object_id=${body.id}`)).body.data[0].id;
}

const replay = (client: Client, eventId: string, body?: object, headers?: Record<string, string>) =>
  client.post(`/v1/events/${eventId}/replay`, body, headers);

describe('the replay of an event', () => {
  it('sends the same bytes to every endpoint that wants it, also to one that came later', async () => {
    const [first, later, other] = [backend.hook(), backend.hook(), backend.hook()];
    const { client, id } = await subscribe(app, first.url);
    const eventId = await emit(client);
    const original = await deliveryIn('succeeded', client, eventId);
    const laterId = await register(client, later.url, 'appointment.created');
    await register(client, other.url, 'appointment.cancelled');
    const answer = await replay(client, eventId);
    expect(answer.status).toBe(202);
    const pending = { object: 'webhook_delivery', event_id: eventId, status: 'pending', trigger: 'replay', attempts: [] };
    expect(answer.body).toMatchObject({
      object: 'list',
      data: [
        { ...pending, webhook_endpoint_id: id, replay_of: original.id },
        { ...pending, webhook_endpoint_id: laterId, replay_of: null },
      ],
      has_more: false,
      next_cursor: null,
    });
    const bodies = [...(await first.received(2)), ...(await later.received())].map(({ body }) => body);
    expect(new Set(bodies).size).toBe(1);
    await eventually(async () => {
      const all = await deliveriesOf(client, eventId);
      expect(all.map(({ status }) => status)).toEqual(['succeeded', 'succeeded', 'succeeded']);
      expect(all[2]).toEqual(original);
    });
    expect(other.requests).toEqual([]);
  });

  it('goes to the endpoints that are named alone, whatever their filters', async () => {
    const { client } = await subscribe(app, backend.hook().url);
    const named = await register(client, backend.hook().url, 'appointment.failed');
    const eventId = await emit(client);
    const { status, body } = await replay(client, eventId, { endpoint_ids: [named, named] });
    expect([status, body.data.length]).toEqual([202, 1]);
    expect(body.data[0]).toMatchObject({ webhook_endpoint_id: named, replay_of: null });
  });

  it('takes the place of a delivery that still waits there', async () => {
    const { client } = await subscribe(app, backend.hook(503, 200).url);
    const eventId = await emit(client);
    const waiting = await deliveryIn('retrying', client, eventId);
    const [fresh] = (await replay(client, eventId)).body.data;
    expect(fresh.replay_of).toBe(waiting.id);
    expect((await deliveryIn('succeeded', client, eventId)).id).toBe(fresh.id);
    const [, before] = await deliveriesOf(client, eventId);
    expect(before).toMatchObject({ status: 'cancelled', cancel_reason: 'superseded', superseded_by: fresh.id });
  });

  it('makes each delivery once for one key', async () => {
    const { client } = await subscribe(app, backend.hook().url);
    await register(client, backend.hook().url);
    const eventId = await emit(client);
    await eventually(async () => expect(await deliveriesOf(client, eventId)).toHaveLength(2));
    const answers = [1, 2].map(() => replay(client, eventId, {}, { 'idempotency-key': 'once' }));
    const ids = (await Promise.all(answers)).filter(({ status }) => status === 202).map(({ body }) => body.data);
    const again = await replay(client, eventId, {}, { 'idempotency-key': 'once' });
    for (const data of ids) expect(data).toEqual(again.body.data);
    expect(await deliveriesOf(client, eventId)).toHaveLength(4);
  });

  it('is an empty list where no endpoint wants the event', async () => {
    const client = await app.otherProject();
    const eventId = await emit(client);
    const { status, body } = await replay(client, eventId);
    expect([status, body]).toEqual([202, { object: 'list', data: [], has_more: false, next_cursor: null }]);
  });

  it('refuses a disabled endpoint that is named, and leaves it out where none is', async () => {
    const { client, id } = await subscribe(app, backend.hook().url);
    const other = await register(client, backend.hook().url);
    const eventId = await emit(client);
    await eventually(async () => expect(await deliveriesOf(client, eventId)).toHaveLength(2));
    await client.patch(`/v1/webhook_endpoints/${id}`, { status: 'disabled' });
    const refused = await replay(client, eventId, { endpoint_ids: [other, id] });
    expect(errorOf(refused).slice(0, 3)).toEqual([409, 'invalid_request_error', 'webhook_endpoint_disabled']);
    expect(await deliveriesOf(client, eventId)).toHaveLength(2);
    const { body } = await replay(client, eventId);
    expect(body.data.map((each: { webhook_endpoint_id: string }) => each.webhook_endpoint_id)).toEqual([other]);
  });

  it("refuses unknown endpoints and events, another project's, and lists that are none", async () => {
    const { client } = await subscribe(app, backend.hook().url);
    const { client: stranger, id: foreign } = await subscribe(app, backend.hook().url);
    const eventId = await emit(client);
    for (const endpoint of [UNKNOWN, foreign, 'nobody'])
      expect(errorOf(await replay(client, eventId, { endpoint_ids: [endpoint] }))).toEqual(missing('endpoint_ids'));
    for (const [asking, id] of [
      [stranger, eventId],
      [client, 'evt_01J9Z3K8Q4T6V8X0A2C4E6G8J0'],
      [client, 'nobody'],
    ] as const)
      expect(errorOf(await replay(asking, id))).toEqual(missing('id'));
    for (const endpoint_ids of [[], 'we_1', [1], Array.from({ length: 51 }, () => UNKNOWN)])
      expect(errorOf(await replay(client, eventId, { endpoint_ids }))).toEqual([
        400,
        'invalid_request_error',
        'parameter_invalid',
        'endpoint_ids',
      ]);
  });

  it('knows no event of a test', async () => {
    const { client, id } = await subscribe(app, backend.hook().url);
    const { body } = await client.post(`/v1/webhook_endpoints/${id}/test`);
    expect(errorOf(await replay(client, body.event_id))).toEqual(missing('id'));
  });
});
