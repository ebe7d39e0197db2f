import type { RequestListener } from 'node:http';
import { selfSigned } from '@testing/certificates';
import { Receiver } from '@testing/receiver';
import { App } from './harness/app.js';
import type { Client } from './harness/client.js';
import { eventually } from './harness/eventually.js';
import { book } from './harness/ledger.js';
import { Backend, deliveriesOf, deliveryIn, type Hook, LOCAL_HOOKS, replay, subscribe, verified } from './harness/receiver.js';

const ATTEMPTS = 3;
const HOUR = 3_600_000;
const never = () => undefined;

const SCHEDULES = {
  quick: { WEBHOOK_TIMEOUT_MS: '60000' },
  hasty: { WEBHOOK_TIMEOUT_MS: '4000' },
  patient: { WEBHOOK_TIMEOUT_MS: '60000', RETRY_SCHEDULE: '0s,6s,1h' },
  gap: { RETRY_SCHEDULE: '0s,100ms,1h', RETRY_SCHEDULE_MODE: 'gap' },
  offset: { RETRY_SCHEDULE: '0s,100ms,1h', RETRY_SCHEDULE_MODE: 'offset' },
};
type Schedule = keyof typeof SCHEDULES;

/** One service per schedule, started in parallel because starts take most of the time. */
const services = new Map<Schedule, App>();
let app: App;
let backend: Backend;
beforeAll(async () => {
  const starts = Object.entries(SCHEDULES).map(async ([schedule, variables]) => {
    services.set(schedule as Schedule, await App.start({ ...LOCAL_HOOKS, ...variables }));
  });
  [backend] = await Promise.all([Backend.start(), ...starts]);
  app = on('quick');
});
afterAll(() => Promise.all([...[...services.values()].map((service) => service.dispose()), backend.close()]));

function on(schedule: Schedule): App {
  const service = services.get(schedule);
  if (!service) throw new Error(`no service runs on the schedule ${schedule}`);
  return service;
}

/** Creates a project with one endpoint at this URL and books in it. */
async function bookFor(url: string, service = app) {
  const subscription = await subscribe(service, url);
  await book(subscription.client);
  return subscription;
}

describe('an answer of', () => {
  const SUCCESSFUL = [200, 201, 202, 204, 299];
  const FINAL = [400, 401, 403, 404, 405, 409, 410, 413, 422, 451, 499];
  const PASSING = [408, 429, 500, 501, 502, 503, 504, 599];
  const LASTING = [408, 429, 500, 503];
  const REDIRECTING = [301, 302, 307, 308];

  /** All bookings are made in parallel, because each delivery takes its time. */
  const bookings = new Map<string, { readonly hook: Hook; readonly client: Client }>();
  let elsewhere: Hook;
  beforeAll(async () => {
    elsewhere = backend.hook();
    const redirect = (status: number): RequestListener => {
      return (_, response) => void response.writeHead(status, { location: elsewhere.url }).end();
    };
    const hooks = [
      ...[...SUCCESSFUL, ...FINAL].map((status) => [`${status}`, backend.hook(status)] as const),
      ...PASSING.map((status) => [`${status}, then 200`, backend.hook(status, 200)] as const),
      ...LASTING.map((status) => [`always ${status}`, backend.hook(status)] as const),
      ...REDIRECTING.map((status) => [`${status}, then 200`, backend.hook(redirect(status), 200)] as const),
    ];
    const booked = hooks.map(async ([answers, hook]) => bookings.set(answers, { hook, ...(await bookFor(hook.url)) }));
    await Promise.all(booked);
  });

  const bookedFor = (answers: string) => {
    const booking = bookings.get(answers);
    if (!booking) throw new Error(`nothing was booked for ${answers}`);
    return booking;
  };

  it.each(SUCCESSFUL)('%i is success', async (status) => {
    const { hook, client } = bookedFor(`${status}`);
    const delivery = await deliveryIn('succeeded', client);
    expect(delivery).toMatchObject({ attempt_count: 1, max_attempts: ATTEMPTS, next_attempt_at: null, failure_reason: null });
    expect(delivery).toMatchObject({ last_response_status: status, completed_at: expect.any(String) });
    expect(delivery.attempts).toMatchObject([{ attempt: 1, outcome: 'succeeded', response_status: status, error_code: null }]);
    expect(hook.requests).toHaveLength(1);
  });

  it.each(FINAL)('%i is final at once', async (status) => {
    const { hook, client } = bookedFor(`${status}`);
    const delivery = await deliveryIn('failed', client);
    expect(delivery).toMatchObject({ attempt_count: 1, failure_reason: 'permanent_rejection', next_attempt_at: null });
    expect(delivery.attempts).toMatchObject([{ outcome: 'http_error', response_status: status, response_body: 'answered' }]);
    expect(hook.requests).toHaveLength(1);
  });

  it.each(PASSING)('%i is tried again until it succeeds', async (status) => {
    const { client } = bookedFor(`${status}, then 200`);
    const delivery = await deliveryIn('succeeded', client);
    expect(delivery.attempts.map((attempt: any) => attempt.response_status)).toEqual([status, 200]);
    expect(delivery.attempt_count).toBe(2);
  });

  it.each(LASTING)('%i to every attempt ends as failed, when all are used up', async (status) => {
    const { hook, client } = bookedFor(`always ${status}`);
    const delivery = await deliveryIn('failed', client);
    expect(delivery).toMatchObject({ attempt_count: ATTEMPTS, failure_reason: 'attempts_exhausted', next_attempt_at: null });
    expect(delivery.attempts.map((one: any) => [one.attempt, one.response_status])).toEqual([1, 2, 3].map((n) => [n, status]));
    expect(hook.requests).toHaveLength(ATTEMPTS);
  });

  it.each(REDIRECTING)('%i is tried again and never followed', async (status) => {
    const { hook, client } = bookedFor(`${status}, then 200`);
    const delivery = await deliveryIn('succeeded', client);
    expect(delivery.attempts[0]).toMatchObject({ response_status: status });
    expect([hook.requests.length, elsewhere.requests.length]).toEqual([2, 0]);
  });
});

describe('an endpoint that', () => {
  const cases: readonly (readonly [string, string, () => Promise<Receiver | null>])[] = [
    ['refuses connections', 'connection_refused', async () => null],
    ['answers nothing', 'timeout', () => Receiver.http(never)],
    ['accepts a connection and is silent', 'timeout', () => Receiver.tcp(never)],
    ['shows a certificate nobody knows', 'tls_error', () => Receiver.https(selfSigned(['localhost']))],
    ['hangs up', 'connection_reset', () => Receiver.tcp((socket) => socket.destroy())],
  ];

  // All receivers are tried in parallel, because two of them cost a time-out per attempt.
  const receivers: Receiver[] = [];
  const clients = new Map<string, Client>();
  beforeAll(async () => {
    for (const [what, code, start] of cases) {
      const receiver = await start();
      if (receiver) receivers.push(receiver);
      const url = receiver?.url('/', 'localhost') ?? 'http://127.0.0.1:1024/';
      clients.set(what, (await bookFor(url, on(code === 'timeout' ? 'hasty' : 'quick'))).client);
    }
  });
  afterAll(() => Promise.all(receivers.map((receiver) => receiver.close())));

  it.each(cases)('%s is tried again: %s', async (what, code) => {
    const delivery = await deliveryIn('failed', clients.get(what)!);
    expect(delivery).toMatchObject({ attempt_count: ATTEMPTS, failure_reason: 'attempts_exhausted', last_response_status: null });
    for (const attempt of delivery.attempts) {
      expect(attempt).toMatchObject({ outcome: code, error_code: code, response_status: null, response_body: null });
    }
  });

  it('has a name nobody knows is tried again: dns_error', async () => {
    const { client } = await bookFor('http://nothing.invalid/hooks');
    const delivery = await deliveryIn('failed', client);
    expect(delivery).toMatchObject({ attempt_count: ATTEMPTS, failure_reason: 'attempts_exhausted' });
    expect(delivery.attempts.map((attempt: any) => attempt.error_code)).toEqual(Array(ATTEMPTS).fill('dns_error'));
  });

  it('answers 200 and then never ends its body has succeeded', async () => {
    const endless = backend.hook((_, response) => void response.writeHead(200).write('so far'));
    const { client } = await bookFor(endless.url, on('hasty'));
    expect((await deliveryIn('succeeded', client)).attempts).toHaveLength(1);
  });

  it('says more than anybody wants to keep is cut off', async () => {
    const { client } = await bookFor(backend.hook((_, response) => void response.writeHead(400).end('x'.repeat(100_000))).url);
    const [attempt] = (await deliveryIn('failed', client)).attempts;
    expect(attempt.response_body_truncated).toBe(true);
    expect(Buffer.byteLength(attempt.response_body)).toBeLessThanOrEqual(16_384);
  });

  it('hangs holds up no other: they have everything before it has run out of time', async () => {
    const [hanging, quick] = [backend.hook(never), backend.hook()];
    const { client, id: hangs } = await subscribe(on('patient'), hanging.url);
    for (let index = 0; index < 10; index++) await book(client);
    const [first] = await hanging.received();
    await client.post('/v1/webhook_endpoints', { url: quick.url });
    for (let index = 0; index < 10; index++) await book(client);
    await quick.received(10);
    const held = await client.get(`/v1/events/${first?.headers['webhook-id']}/deliveries?endpoint_id=${hangs}`);
    expect(held.body.data).toMatchObject([{ status: 'delivering', attempts: [] }]);
    expect(quick.requests).toHaveLength(10);
  });
});

describe('one attempt after the other', () => {
  it('has the same id and bytes, and a signature of its own time', async () => {
    const hook = backend.hook(503);
    const { client, secret } = await bookFor(hook.url);
    const delivery = await deliveryIn('failed', client);
    const { requests } = hook;
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    expect(requests.map(({ headers }) => headers['webhook-id'])).toEqual(Array(ATTEMPTS).fill(delivery.event_id));
    expect(requests.map(({ headers }) => headers['service-delivery-id'])).toEqual(Array(ATTEMPTS).fill(delivery.id));
    expect(requests.map(({ headers }) => headers['service-attempt'])).toEqual(['1', '2', '3']);
    const starts: number[] = delivery.attempts.map(({ started_at }: any) => Date.parse(started_at));
    for (const [index, request] of requests.entries()) {
      verified(request, secret);
      const signedAt = Number(request.headers['webhook-timestamp']);
      expect(signedAt).toBeGreaterThanOrEqual(Math.floor(starts[index]! / 1_000));
      expect(signedAt * 1_000).toBeLessThanOrEqual(starts[index + 1] ?? Date.parse(delivery.completed_at));
    }
  });

  it.each([
    ['gap', 'end of the attempt before'],
    ['offset', 'start of the first attempt'],
  ] as const)('waits in %s mode from the %s', async (mode, _since) => {
    const slow = backend.hook((_, response) => void setTimeout(() => response.writeHead(500).end(), 300));
    const { client } = await subscribe(on(mode), slow.url);
    await book(client);
    const { attempts, next_attempt_at } = await eventually(async () => {
      const [delivery] = await deliveriesOf(client);
      expect([delivery.status, delivery.attempt_count, delivery.attempts.length]).toEqual(['retrying', 2, 2]);
      return delivery;
    });
    const [first, second] = attempts.map(({ started_at }: any) => Date.parse(started_at));
    const due = Date.parse(next_attempt_at) - HOUR;
    if (mode === 'offset') expect(due).toBe(first);
    else expect(due - second).toBeGreaterThanOrEqual(290);
    if (mode === 'gap') expect(second - first).toBeGreaterThanOrEqual(390);
  });
});

describe('an endpoint, while a delivery waits, that is', () => {
  const waiting = async () => {
    const hook = backend.hook(503, 200);
    const subscription = await subscribe(on('patient'), hook.url);
    await book(subscription.client);
    const delivery = await deliveryIn('retrying', subscription.client);
    return { hook, delivery, ...subscription, path: `/v1/webhook_endpoints/${subscription.id}` };
  };

  it.each([
    ['disabled', 'endpoint_disabled'],
    ['deleted', 'endpoint_deleted'],
  ])('%s has it cancelled: %s', async (how, reason) => {
    const { hook, client, path, delivery } = await waiting();
    await (how === 'deleted' ? client.delete(path) : client.patch(path, { status: 'disabled' }));
    const cancelled = await deliveryIn('cancelled', client);
    expect(cancelled).toMatchObject({ id: delivery.id, cancel_reason: reason, next_attempt_at: null, attempt_count: 1 });
    const replayed = await replay(client, delivery);
    expect(replayed.status).toBe(how === 'deleted' ? 404 : 409);
    if (how === 'disabled') expect(replayed.body.error.code).toBe('webhook_endpoint_disabled');
    expect(hook.requests).toHaveLength(1);
  });

  it('moved gets the next attempt where it is now', async () => {
    const { hook, client, path } = await waiting();
    const moved = backend.hook();
    await client.patch(path, { url: moved.url, event_filters: ['appointment.failed'] });
    await deliveryIn('succeeded', client);
    expect([hook.requests.length, moved.requests.length]).toEqual([1, 1]);
  });

  it('replayed is superseded, and delivered by the fresh one', async () => {
    const { hook, client, delivery } = await waiting();
    const { status, body } = await replay(client, delivery);
    expect([status, body.replay_of, body.trigger]).toEqual([202, delivery.id, 'replay']);
    await eventually(async () => {
      const [fresh, original] = await deliveriesOf(client);
      expect(fresh).toMatchObject({ id: body.id, status: 'succeeded', attempt_count: 1 });
      const superseded = { status: 'cancelled', cancel_reason: 'superseded', superseded_by: body.id, attempt_count: 1 };
      expect(original).toMatchObject({ id: delivery.id, ...superseded });
    });
    expect(hook.requests).toHaveLength(2);
  });
});
