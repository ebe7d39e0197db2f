import { App } from './harness/app.js';
import type { Answer, Client } from './harness/client.js';
import { errorOf } from './harness/expectations.js';
import { book } from './harness/ledger.js';
import { Backend, deliveriesOf, deliveryIn, LOCAL_HOOKS, subscribe, type Hook } from './harness/receiver.js';

/** A second attempt comes after the tests. */
const PATIENT = { ...LOCAL_HOOKS, RETRY_SCHEDULE: '0s,1h' };
const UNKNOWN = 'whd_01J9Z3K8Q4T6V8X0A2C4E6G8J0';
const missing = [404, 'invalid_request_error', 'resource_missing', 'id'];

let app: App;
let backend: Backend;
beforeAll(async () => void ([app, backend] = await Promise.all([App.start(PATIENT), Backend.start()])));
afterAll(() => Promise.all([app.dispose(), backend.close()]));

// oxlint-disable-next-line typescript/no-explicit-any
type Delivery = Readonly<Record<string, any>>;

const list = async (client: Client, query = ''): Promise<readonly Delivery[]> =>
  (await client.get(`/v1/deliveries?${query}`)).body.data;
const cancel = (client: Client, { id }: Delivery, headers?: Record<string, string>): Promise<Answer> =>
  client.post(`/v1/deliveries/${id}/cancel`, undefined, headers);
const retry = (client: Client, { id }: Delivery, headers?: Record<string, string>): Promise<Answer> =>
  client.post(`/v1/deliveries/${id}/retry`, undefined, headers);

/** A project with one delivery, which has come to this status. */
async function one(status: string, ...answers: Hook['answers']) {
  const hook = backend.hook(...answers);
  const { client, id: endpointId } = await subscribe(app, hook.url);
  await book(client);
  return { client, hook, endpointId, delivery: (await deliveryIn(status, client)) as Delivery };
}

describe('a delivery', () => {
  it('is of this shape', async () => {
    const { client, delivery, endpointId } = await one('retrying', 503);
    const { body } = await client.get(`/v1/deliveries/${delivery['id']}`);
    const [event] = (await client.get('/v1/events')).body.data;
    expect(body).toEqual({
      ...delivery,
      webhook_endpoint_id: endpointId,
      last_response_status: 503,
      last_error_code: null,
      last_attempt_at: delivery['attempts'][0].started_at,
      event: {
        id: event.id,
        type: 'appointment.created',
        created_at: event.created_at,
        appointment_id: event.data.object.id,
      },
    });
  });

  it('tells why its latest attempt got no answer', async () => {
    const { delivery } = await one('retrying', (_, response) => void response.destroy());
    expect(delivery).toMatchObject({ last_response_status: null, last_error_code: 'connection_reset', status: 'retrying' });
  });

  it('is known to its project alone, and to nobody where it does not exist', async () => {
    const { client, delivery } = await one('failed', 400);
    const other = await app.otherProject();
    for (const [asking, id] of [
      [other, delivery['id']],
      [client, UNKNOWN],
      [client, 'nonsense'],
    ] as const) {
      expect(errorOf(await asking.get(`/v1/deliveries/${id}`))).toEqual(missing);
      expect(errorOf(await retry(asking, { id }))).toEqual(missing);
      expect(errorOf(await cancel(asking, { id }))).toEqual(missing);
    }
    expect(await list(other)).toEqual([]);
  });
});

describe('a retry by the id alone', () => {
  it('is a fresh delivery that names the one it repeats', async () => {
    const { client, delivery } = await one('failed', 400, 200);
    const { status, body } = await retry(client, delivery);
    expect(status).toBe(202);
    expect(body).toMatchObject({ event_id: delivery['event_id'], trigger: 'replay', replay_of: delivery['id'], attempts: [] });
    expect(await deliveryIn('succeeded', client)).toMatchObject({ id: body.id });
    expect((await deliveriesOf(client))[1]).toEqual(delivery);
  });

  it('supersedes one that still waits', async () => {
    const { client, delivery } = await one('retrying', 503, 200);
    const { body } = await retry(client, delivery);
    const original = await client.get(`/v1/deliveries/${delivery['id']}`);
    expect(original.body).toMatchObject({ status: 'cancelled', cancel_reason: 'superseded', superseded_by: body.id });
  });

  it('is one for one key, however often that is sent', async () => {
    const { client, delivery } = await one('succeeded', 200);
    const answers = [
      await retry(client, delivery, { 'idempotency-key': 'r' }),
      await retry(client, delivery, { 'idempotency-key': 'r' }),
    ];
    expect(answers.map(({ body }) => body.id)).toEqual([answers[0]?.body.id, answers[0]?.body.id]);
    expect(answers[1]?.headers.get('idempotent-replayed')).toBe('true');
    expect(await deliveriesOf(client)).toHaveLength(2);
  });

  it('is refused while the endpoint is disabled', async () => {
    const { client, delivery, endpointId } = await one('failed', 400);
    await client.patch(`/v1/webhook_endpoints/${endpointId}`, { status: 'disabled' });
    expect(errorOf(await retry(client, delivery)).slice(0, 3)).toEqual([
      409,
      'invalid_request_error',
      'webhook_endpoint_disabled',
    ]);
  });
});

describe('a cancellation', () => {
  it('ends what waits for its next attempt, and changes nothing when it is repeated', async () => {
    const { client, delivery } = await one('retrying', 503);
    const { status, body } = await cancel(client, delivery);
    const cancelled = { status: 'cancelled', cancel_reason: 'cancelled_by_user', next_attempt_at: null, failure_reason: null };
    expect([status, body]).toEqual([200, expect.objectContaining(cancelled)]);
    expect(body).toMatchObject({ attempt_count: 1, last_response_status: 503, completed_at: expect.any(String) });
    expect(body).toEqual((await client.get(`/v1/deliveries/${delivery['id']}`)).body);
    const again = await cancel(client, delivery);
    expect([again.status, again.body]).toEqual([200, body]);
    expect(await list(client, 'status=cancelled')).toMatchObject([{ id: delivery['id'], ...cancelled }]);
    const [event] = (await client.get('/v1/events')).body.data;
    expect(event.delivery_summary).toEqual({ total: 1, succeeded: 0, pending: 0, failed: 0, cancelled: 1 });
  });

  it('is answered alike for one key', async () => {
    const { client, delivery } = await one('retrying', 503);
    const first = await cancel(client, delivery, { 'idempotency-key': 'c' });
    const again = await cancel(client, delivery, { 'idempotency-key': 'c' });
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('changes nothing of what was cancelled otherwise', async () => {
    const { client, delivery, endpointId } = await one('retrying', 503);
    await client.patch(`/v1/webhook_endpoints/${endpointId}`, { status: 'disabled' });
    await deliveryIn('cancelled', client);
    const { status, body } = await cancel(client, delivery);
    expect([status, body.cancel_reason]).toEqual([200, 'endpoint_disabled']);
  });

  it.each([
    ['succeeded', 200],
    ['failed', 400],
  ])('is refused once the delivery has %s', async (current_status, answer) => {
    const { client, delivery } = await one(current_status, answer);
    const refused = await cancel(client, delivery);
    expect(errorOf(refused)).toEqual([409, 'invalid_request_error', 'delivery_not_cancellable']);
    expect(refused.body.error.current_status).toBe(current_status);
    expect((await client.get(`/v1/deliveries/${delivery['id']}`)).body.status).toBe(current_status);
  });

  it('is refused while an attempt is under way, whose outcome counts', async () => {
    let release = (): void => undefined;
    const answered = new Promise<void>((resolve) => (release = resolve));
    const { client, delivery, hook } = await one('delivering', (_, response) => void answered.then(() => response.end()));
    await hook.received();
    const refused = await cancel(client, delivery);
    expect([refused.status, refused.body.error.current_status]).toEqual([409, 'delivering']);
    release();
    expect(await deliveryIn('succeeded', client)).toMatchObject({ id: delivery['id'] });
  });

  it('of what never had an attempt keeps it from ever being sent', async () => {
    await app.restart({ WEBHOOK_DELIVERY: 'hold' });
    const { client, delivery, hook } = await one('pending', 200);
    const { status, body } = await cancel(client, delivery);
    expect([status, body.status, body.cancel_reason, body.attempts]).toEqual([200, 'cancelled', 'cancelled_by_user', []]);
    await app.restart({ WEBHOOK_DELIVERY: 'on' });
    const later = app.as(client.token);
    await book(later);
    await deliveryIn('succeeded', later);
    expect((await list(later)).map((each) => each['status'])).toEqual(['succeeded', 'cancelled']);
    expect(hook.requests).toHaveLength(1);
  });
});
