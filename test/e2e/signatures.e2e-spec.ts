import Stripe from 'stripe';
import { Webhook } from 'standardwebhooks';
import { App } from './harness/app.js';
import { errorOf } from './harness/expectations.js';
import { book } from './harness/ledger.js';
import { Backend, deliveryIn, LOCAL_HOOKS, subscribe, verified } from './harness/receiver.js';

let app: App;
let backend: Backend;
beforeAll(async () => void ([app, backend] = await Promise.all([App.start(LOCAL_HOOKS), Backend.start()])));
afterAll(() => Promise.all([app.dispose(), backend.close()]));

const SIGNATURE = /^t=(\d{10}),v1=[0-9a-f]{64}$/;
const OVERLAPPING = /^t=\d{10},v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/;
const STANDARD = /^v1,[A-Za-z0-9+/]{43}=$/;

async function subscribed(more: object = {}) {
  const hook = backend.hook();
  const subscription = await subscribe(app, hook.url, more);
  return { hook, ...subscription, path: `/v1/webhook_endpoints/${subscription.id}` };
}

/** Books and returns the resulting webhook request. */
async function delivered({ client, hook }: Pick<Awaited<ReturnType<typeof subscribed>>, 'client' | 'hook'>) {
  const before = hook.requests.length;
  await book(client);
  const request = (await hook.received(before + 1))[before];
  if (!request) throw new Error('Nothing came.');
  return request;
}

describe('the published test vector', () => {
  const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIj';
  const id = 'evt_01HZX0000000000000000000AA';
  const time = 1_700_000_000;
  const body = `{"id":"${id}","object":"event","type":"appointment.confirmed"}`;
  const ours = 'd262644fe286615add04a1ac1559248bb43bc63bd1c1d62a1d25cbd1497ad2bb';

  it('is what both libraries compute', () => {
    expect(Stripe.webhooks.signature.EXPECTED_SCHEME).toBe('v1');
    const header = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp: time });
    expect(header).toBe(`t=${time},v1=${ours}`);
    const standard = new Webhook(secret).sign(id, new Date(time * 1_000), body);
    expect(standard).toBe('v1,1cni3MuXVbThDCTv5b4T30derT4xm8PSwzLFo/vGu90=');
  });
});

describe('a delivery', () => {
  it('is a POST of JSON whose headers say what it is', async () => {
    const subscription = await subscribed({ headers: { 'X-Env': 'prod' } });
    const { method, headers, body } = await delivered(subscription);
    const delivery = await deliveryIn('succeeded', subscription.client);
    expect(method).toBe('POST');
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      'service-event-type': 'appointment.created',
      'service-delivery-id': delivery.id,
      'service-attempt': '1',
      'service-signature': expect.stringMatching(SIGNATURE),
      'webhook-id': delivery.event_id,
      'webhook-signature': expect.stringMatching(STANDARD),
      'user-agent': expect.any(String),
      accept: '*/*',
      'x-env': 'prod',
    });
    expect(SIGNATURE.exec(String(headers['service-signature']))?.[1]).toBe(headers['webhook-timestamp']);
  });

  it('is verified by both published libraries, and is the event as the log has it', async () => {
    const subscription = await subscribed();
    const event = verified(await delivered(subscription), subscription.secret);
    const { delivery_summary: _, ...logged } = (await subscription.client.get(`/v1/events/${event.id}`)).body;
    expect(event).toEqual(logged);
    expect(event.data.previous_attributes).toEqual(event.previous_attributes);
    expect(event.timestamp).toBe(event.created_at);
  });

  it('is refused by both libraries with one byte changed, another secret or another time', async () => {
    const subscription = await subscribed();
    const request = await delivered(subscription);
    const { headers, body } = request;
    const forged: [typeof request, string][] = [
      [{ ...request, body: body.replace('"pending"', '"Pending"') }, subscription.secret],
      [request, 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIj'],
    ];
    const later = String(Number(headers['webhook-timestamp']) + 1);
    const retimed = String(headers['service-signature']).replace(/^t=\d+/, `t=${later}`);
    forged.push([
      { ...request, headers: { ...headers, 'webhook-timestamp': later, 'service-signature': retimed } },
      subscription.secret,
    ]);
    for (const [received, secret] of forged) {
      const signature = received.headers['service-signature'] ?? '';
      expect(() => Stripe.webhooks.constructEvent(received.body, signature, secret)).toThrow(/signature/i);
      expect(() => new Webhook(secret).verify(received.body, received.headers as Record<string, string>)).toThrow(/signature/i);
    }
  });

  it('carries metadata exactly as it was sent', async () => {
    const metadata = '{"2":"b","1":12345678901234567890,"f":1.0,"__proto__":{"x":1},"a.b":"$c","é":"\\u00e9\\ud83d\\ude00"}';
    const { client, hook, secret } = await subscribed();
    const booking = `{"service":"haircut","starts_at":"2031-03-02T09:00:00Z","metadata":${metadata}}`;
    const { body: booked } = await client.raw('POST', '/v1/appointments', booking, { 'content-type': 'application/json' });
    await client.post(`/v1/appointments/${booked.id}/confirm`);
    for (const request of await hook.received(2)) {
      expect(request.body).toContain(`"metadata":${metadata}`);
      verified(request, secret);
    }
    const logged = await client.get('/v1/events?limit=1');
    expect(logged.text).toContain(`"metadata":${metadata}`);
  });

  it('of a test event carries the metadata of its overrides exactly as it was sent', async () => {
    const metadata = '{"10":1,"2":12345678901234567890,"__proto__":{"a":1.0}}';
    const { client, hook, path } = await subscribed();
    const post = (text: string) =>
      client.raw('POST', `${path}/test`, `{"overrides":{"metadata":${text},"notes":"n"}}`, {
        'content-type': 'application/json',
      });
    expect((await post(metadata)).status).toBe(202);
    const [request] = await hook.received();
    expect(request?.body).toContain(`"metadata":${metadata}`);
    expect(JSON.parse(request?.body ?? '').data.object.notes).toBe('n');
    expect((await post('null')).status).toBe(202);
    const [, plain] = await hook.received(2);
    expect(JSON.parse(plain?.body ?? '').data.object.metadata).toEqual({});
    for (const invalid of ['[]', '{"a":"\\ud800"}', `${'{"a":'.repeat(8)}{}${'}'.repeat(8)}`])
      expect(errorOf(await post(invalid))).toEqual([400, 'invalid_request_error', 'metadata_invalid', 'overrides']);
    const tooLarge = [400, 'invalid_request_error', 'metadata_too_large', 'overrides'];
    expect(errorOf(await post(`{"a":"${'x'.repeat(16_384)}"}`))).toEqual(tooLarge);
  });

  it('of a test event is signed, marked, and in no log', async () => {
    const { client, hook, secret, path } = await subscribed({ event_filters: ['appointment.failed'] });
    const sent = await client.post(`${path}/test`, { type: 'appointment.confirmed', overrides: { service: 'massage' } });
    expect([sent.status, sent.body.object, sent.body.trigger]).toEqual([202, 'webhook_delivery', 'test']);
    const [request] = await hook.received();
    const event = request && verified(request, secret);
    expect(event).toMatchObject({ test: true, type: 'appointment.confirmed', data: { object: { service: 'massage' } } });
    expect((await client.post(`${path}/test`)).body.event_type).toBe('appointment.created');
    expect((await client.get('/v1/events')).body.data).toEqual([]);
    expect((await client.get(`/v1/appointments/${event.data.object.id}`)).status).toBe(404);
  });
});

describe('a rotated secret', () => {
  it('signs beside the former one until that one’s grace is over', async () => {
    const subscription = await subscribed();
    const { client, path, secret } = subscription;
    const rotated = await client.post(`${path}/rotate_secret`);
    expect(rotated.status).toBe(200);
    expect(rotated.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{48}$/);
    expect(rotated.body.secret).not.toBe(secret);
    const untilDay = Date.parse(rotated.body.previous_secret_expires_at) - Date.parse(rotated.body.secret_rotated_at);
    expect(untilDay).toBe(86_400_000);
    const request = await delivered(subscription);
    expect(request.headers['service-signature']).toMatch(OVERLAPPING);
    expect(String(request.headers['webhook-signature']).split(' ')).toEqual(Array(2).fill(expect.stringMatching(STANDARD)));
    expect(verified(request, secret)).toEqual(verified(request, rotated.body.secret));
    const [, first] = String(request.headers['service-signature']).split(',');
    expect(() =>
      Stripe.webhooks.constructEvent(
        request.body,
        `t=${String(request.headers['webhook-timestamp'])},${first}`,
        rotated.body.secret,
      ),
    ).not.toThrow();
  });

  it('without grace ends the former one at once', async () => {
    const subscription = await subscribed();
    const { client, path, secret } = subscription;
    const { body } = await client.post(`${path}/rotate_secret`, { grace_period_seconds: 0 });
    expect(body.previous_secret_expires_at).toBeNull();
    const request = await delivered(subscription);
    expect(request.headers['service-signature']).toMatch(SIGNATURE);
    verified(request, body.secret);
    expect(() => verified(request, secret)).toThrow(/signature/i);
  });

  it('rotated again and again signs with two former ones at most', async () => {
    const subscription = await subscribed();
    const secrets = [subscription.secret];
    for (let round = 0; round < 3; round++) {
      secrets.push((await subscription.client.post(`${subscription.path}/rotate_secret`)).body.secret);
    }
    const request = await delivered(subscription);
    expect(String(request.headers['service-signature']).split('v1=')).toHaveLength(4);
    for (const secret of secrets.slice(1)) verified(request, secret);
    expect(() => verified(request, subscription.secret)).toThrow(/signature/i);
  });

  it('once for one request, however often that is sent', async () => {
    const { client, path } = await subscribed();
    const key = { 'idempotency-key': 'rotate-1' };
    const first = await client.post(`${path}/rotate_secret`, {}, key);
    const second = await client.post(`${path}/rotate_secret`, {}, key);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });
});
