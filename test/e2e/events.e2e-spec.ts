import { App } from './harness/app.js';
import type { Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { errorOf } from './harness/expectations.js';
import { appointmentIn, book, change, eventsOf } from './harness/ledger.js';
import { Backend, deliveriesOf, deliveryIn, LOCAL_HOOKS, replay, subscribe, verified } from './harness/receiver.js';

let app: App;
let backend: Backend;
beforeAll(async () => void ([app, backend] = await Promise.all([App.start(LOCAL_HOOKS), Backend.start()])));
afterAll(() => Promise.all([app.dispose(), backend.close()]));

const UNKNOWN = 'evt_01J9Z3K8Q4T6V8X0A2C4E6G8J0';
const missing = (param: string) => [404, 'invalid_request_error', 'resource_missing', param];

describe('the log of events', () => {
  let client: Client;
  const kinds = async (query = '') =>
    (await client.get(`/v1/events?${query}`)).body.data.map(({ type }: { type: string }) => type.replace('appointment.', ''));

  beforeAll(async () => {
    client = await app.otherProject();
    const id = await appointmentIn(client, 'confirmed');
    await change(client, id, 'cancel', { reason: 'customer_request' });
    await appointmentIn(client, 'failed');
  });

  it('has the newest first, each as it can be read by its id', async () => {
    const { body } = await client.get('/v1/events');
    expect(await kinds()).toEqual(['failed', 'cancelled', 'confirmed', 'created']);
    for (const event of body.data) expect((await client.get(`/v1/events/${event.id}`)).body).toEqual(event);
    const sequences = body.data.map(({ sequence }: any) => sequence);
    expect(sequences).toEqual(sequences.toSorted((one: number, other: number) => other - one));
    expect(new Set(sequences).size).toBe(sequences.length);
  });

  it('has events of this shape', async () => {
    const { body } = await client.get('/v1/events?type=appointment.cancelled');
    const [event] = body.data;
    const previous = { status: 'confirmed', cancellation: null };
    expect(event).toEqual({
      id: expect.stringMatching(/^evt_[0-9A-HJKMNP-TV-Z]{26}$/),
      object: 'event',
      type: 'appointment.cancelled',
      api_version: 'v1',
      created_at: event.timestamp,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      sequence: expect.any(Number),
      data: { object: (await client.get(`/v1/appointments/${event.data.object.id}`)).body, previous_attributes: previous },
      previous_attributes: previous,
      change: {
        reason: 'customer_request',
        actor: { type: 'client', session_id: null },
        correlation_id: expect.any(String),
        previous_version: 2,
      },
      request: { id: expect.stringMatching(/^req_/), idempotency_key: null },
      delivery_summary: { total: 0, succeeded: 0, pending: 0, failed: 0, cancelled: 0 },
    });
  });

  it.each([
    ['type=appointment.confirmed', ['confirmed']],
    ['type=appointment.*', ['failed', 'cancelled', 'confirmed', 'created']],
    ['type=*', ['failed', 'cancelled', 'confirmed', 'created']],
    ['type=customer.*', []],
    ['types[]=appointment.created&types[]=appointment.failed', ['failed', 'created']],
    ['created_at[gte]=2000-01-01T00:00:00Z', ['failed', 'cancelled', 'confirmed', 'created']],
    ['created_at[lt]=2000-01-01T00:00:00Z', []],
    ['status=failed', ['failed', 'cancelled', 'confirmed', 'created']],
    ['status=nonsense&limit=1', ['failed']],
  ])('asked for %s has %j', async (query, expected) => {
    expect(await kinds(query)).toEqual(expected);
  });

  it('can be cut at the time of any event', async () => {
    const { body } = await client.get('/v1/events');
    const at = body.data[0].created_at;
    const since = body.data.filter(({ created_at }: any) => created_at >= at).length;
    expect(await kinds(`created_at[gte]=${at}`)).toHaveLength(since);
    expect(await kinds(`created_at[lt]=${at}`)).toHaveLength(4 - since);
  });

  it('refuses what is no kind and no time', async () => {
    for (const query of ['type=Nonsense!', 'types[]=a..b', 'created_at[gte]=yesterday']) {
      expect(errorOf(await client.get(`/v1/events?${query}`))[2]).toBe('parameter_invalid');
    }
  });

  it('has an event that no endpoint wanted, with no deliveries', async () => {
    const { body } = await client.get('/v1/events?limit=1');
    const deliveries = await client.get(`/v1/events/${body.data[0].id}/deliveries`);
    expect(deliveries.body).toEqual({ object: 'list', data: [], has_more: false, next_cursor: null });
  });

  it('knows no event of nobody or of another project', async () => {
    const { body } = await client.get('/v1/events?limit=1');
    for (const id of [UNKNOWN, body.data[0].id, 'nonsense']) {
      expect(errorOf(await app.api.get(`/v1/events/${id}`))).toEqual(missing('id'));
      expect(errorOf(await app.api.get(`/v1/events/${id}/deliveries`))).toEqual(missing('id'));
    }
  });

  it('has nothing but what happened to appointments', async () => {
    const other = await app.otherProject();
    await other.say('thread', 'Hello', { customer: { phone: '+4915112345678' } });
    const call = await other.post('/v1/sessions', { direction: 'inbound' });
    await other.post(`/v1/sessions/${call.body.id}/close`, {});
    expect((await other.get('/v1/events')).body.data).toEqual([]);
  });

  it('tells with which key a request came', async () => {
    const { body } = await client.post(
      '/v1/appointments',
      { service: 'x', starts_at: '2031-01-01T10:00:00Z' },
      { 'idempotency-key': 'k-77' },
    );
    expect((await eventsOf(client, body.id))[0].request.idempotency_key).toBe('k-77');
  });
});

describe('the deliveries of an event', () => {
  it('are one for every endpoint that wanted it, and only those there were', async () => {
    const wanted = backend.hook();
    const { client, id } = await subscribe(app, wanted.url, { event_filters: ['appointment.created'] });
    const all = await client.post('/v1/webhook_endpoints', { url: backend.hook(503).url, event_filters: [] });
    await client.post('/v1/webhook_endpoints', { url: backend.hook().url, event_filters: ['appointment.cancelled'] });
    const { body } = await book(client);
    const [event] = await eventsOf(client, body.id);
    await client.post('/v1/webhook_endpoints', { url: backend.hook().url });
    await eventually(async () => {
      const states = (await deliveriesOf(client, event.id)).map((one) => [one.webhook_endpoint_id, one.status]);
      expect(states.toSorted()).toEqual(
        [
          [id, 'succeeded'],
          [all.body.id, 'failed'],
        ].toSorted(),
      );
    });
    const summary = { total: 2, succeeded: 1, pending: 0, failed: 1, cancelled: 0 };
    expect((await client.get(`/v1/events/${event.id}`)).body.delivery_summary).toEqual(summary);
    const narrowed = await client.get(`/v1/events/${event.id}/deliveries?endpoint_id=${id}`);
    expect(narrowed.body.data.map((one: any) => one.webhook_endpoint_id)).toEqual([id]);
  });

  it('are of this shape', async () => {
    const hook = backend.hook((_, response) => void response.writeHead(418, { 'x-tea': 'yes' }).end('short and stout'));
    const { client, id } = await subscribe(app, hook.url);
    await book(client);
    const delivery = await deliveryIn('failed', client);
    expect(delivery).toEqual({
      id: expect.stringMatching(/^whd_[0-9A-HJKMNP-TV-Z]{26}$/),
      object: 'webhook_delivery',
      event_id: expect.stringMatching(/^evt_/),
      event_type: 'appointment.created',
      webhook_endpoint_id: id,
      url: hook.url,
      status: 'failed',
      attempt_count: 1,
      max_attempts: 3,
      next_attempt_at: null,
      last_response_status: 418,
      last_error_code: null,
      last_attempt_at: delivery.attempts[0].started_at,
      failure_reason: 'permanent_rejection',
      cancel_reason: null,
      trigger: 'event',
      replay_of: null,
      superseded_by: null,
      created_at: expect.any(String),
      completed_at: expect.any(String),
      attempts: [
        {
          id: expect.stringMatching(/^att_/),
          attempt: 1,
          started_at: expect.any(String),
          duration_ms: expect.any(Number),
          outcome: 'http_error',
          response_status: 418,
          response_headers: expect.objectContaining({ 'x-tea': 'yes' }),
          response_headers_truncated: false,
          response_body: 'short and stout',
          response_body_truncated: false,
          error_code: null,
          remote_ip: '127.0.0.1',
          request_headers: expect.objectContaining({ 'Service-Attempt': '1', 'webhook-id': delivery.event_id }),
          timings: { dns_ms: null, connect_ms: expect.any(Number), tls_ms: null, first_byte_ms: expect.any(Number) },
        },
      ],
    });
  });
});

describe('a replay', () => {
  it('is a fresh delivery of the same bytes, and leaves the first as it was', async () => {
    const hook = backend.hook(500, 400, 200);
    const { client, secret } = await subscribe(app, hook.url);
    await book(client);
    const original = await deliveryIn('failed', client);
    const answer = await replay(client, original);
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ object: 'webhook_delivery', trigger: 'replay', replay_of: original.id, attempts: [] });
    expect(answer.body.id).not.toBe(original.id);
    const fresh = await deliveryIn('succeeded', client);
    expect([fresh.id, fresh.attempt_count, fresh.replay_of]).toEqual([answer.body.id, 1, original.id]);
    expect((await deliveriesOf(client))[1]).toEqual(original);
    const [first, , third] = await hook.received(3);
    expect(third?.body).toBe(first?.body);
    expect(third?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(third?.headers['service-delivery-id']).toBe(fresh.id);
    expect(Number(third?.headers['webhook-timestamp'])).toBeGreaterThanOrEqual(Number(first?.headers['webhook-timestamp']));
    if (third) verified(third, secret);
  });

  it('is possible of what had succeeded, again and again', async () => {
    const hook = backend.hook();
    const { client } = await subscribe(app, hook.url);
    await book(client);
    const original = await deliveryIn('succeeded', client);
    const ids = [await replay(client, original), await replay(client, original)].map(({ body }) => body.id);
    await eventually(async () => {
      const states = (await deliveriesOf(client)).map(({ id, status }) => [id, status]);
      expect(states).toEqual([ids[1], ids[0], original.id].map((id) => [id, 'succeeded']));
    });
    expect(new Set((await hook.received(3)).map(({ body }) => body)).size).toBe(1);
  });

  it('has the whole schedule before it', async () => {
    const { client } = await subscribe(app, backend.hook(400, 503).url);
    await book(client);
    await replay(client, await deliveryIn('failed', client));
    await eventually(async () => {
      const [fresh] = await deliveriesOf(client);
      expect(fresh).toMatchObject({
        status: 'failed',
        attempt_count: 3,
        failure_reason: 'attempts_exhausted',
        trigger: 'replay',
      });
    });
  });

  it('is one for one key, however often that is sent', async () => {
    const hook = backend.hook();
    const { client } = await subscribe(app, hook.url);
    await book(client);
    const { event_id, id } = await deliveryIn('succeeded', client);
    const again = () => client.post(`/v1/events/${event_id}/deliveries/${id}/retry`, undefined, { 'idempotency-key': 'r' });
    const answers = [await again(), await again()];
    expect(answers[1]?.body.id).toBe(answers[0]?.body.id);
    expect(await deliveriesOf(client)).toHaveLength(2);
  });

  it('takes the delivery of the event itself, and no other', async () => {
    const { client } = await subscribe(app, backend.hook().url);
    const [one, two] = [(await book(client)).body.id, (await book(client)).body.id];
    const [[event], [other]] = [await eventsOf(client, one), await eventsOf(client, two)];
    const delivery = await deliveryIn('succeeded', client, event.id);
    expect(errorOf(await replay(client, { event_id: other.id, id: delivery.id }))).toEqual(missing('delivery_id'));
    expect(errorOf(await replay(client, { event_id: event.id, id: 'whd_nonsense' }))).toEqual(missing('delivery_id'));
    expect(errorOf(await replay(client, { event_id: UNKNOWN, id: delivery.id }))).toEqual(missing('id'));
    expect(errorOf(await replay(await app.otherProject(), delivery))).toEqual(missing('id'));
  });

  it('is refused for an endpoint that is disabled, and for one that is gone', async () => {
    const { client, id } = await subscribe(app, backend.hook().url);
    await book(client);
    const delivery = await deliveryIn('succeeded', client);
    await client.patch(`/v1/webhook_endpoints/${id}`, { status: 'disabled' });
    expect(errorOf(await replay(client, delivery)).slice(0, 3)).toEqual([
      409,
      'invalid_request_error',
      'webhook_endpoint_disabled',
    ]);
    await client.delete(`/v1/webhook_endpoints/${id}`);
    expect(errorOf(await replay(client, delivery)).slice(0, 3)).toEqual([404, 'invalid_request_error', 'resource_missing']);
    expect(await deliveriesOf(client)).toEqual([delivery]);
  });
});
