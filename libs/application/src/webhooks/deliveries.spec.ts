import type { EndpointChanges } from '@domain/endpoint/endpoint.events';
import { originOf } from '@testing/envelopes';
import { DeliveryWorld } from '@testing/delivery-world';
import { answered, timedOut } from '@testing/fake-sender';
import { LEDGER_PROJECT, NINE_ON_MONDAY, HALF_HOUR, OTHER_PROJECT } from '@testing/ledger-world';
import { endpointsStream } from './endpoints/endpoint-directory.js';

const URL = 'https://a.example/hooks';
const HOUR = 3_600_000;
const NEVER = new AbortController().signal;

let world: DeliveryWorld;
beforeEach(async () => {
  world = await DeliveryWorld.create();
});
afterEach(() => world.close());

async function delivered(eventId: string) {
  await world.quiet();
  return world.deliveries(eventId);
}

/** Lets time pass until the next attempt of the event's first delivery; false when none comes. */
async function nextAttempt(eventId: string): Promise<boolean> {
  const [delivery] = await delivered(eventId);
  if (!delivery?.dueAt) return false;
  world.ledger.clock.set(delivery.dueAt);
  await world.quiet();
  return true;
}

function update(endpointId: string, commandId: string, changes: Pick<EndpointChanges, 'status' | 'url' | 'filters'>) {
  const change = { type: 'UpdateEndpoint', at: world.ledger.clock.now(), endpointId, commandId, changes } as const;
  return world.directory.run(LEDGER_PROJECT, change, originOf(commandId));
}
const turn = (endpointId: string, status: 'disabled' | 'enabled') => update(endpointId, status, { status });

describe('an emitted event', () => {
  it('reaches every endpoint that wants it, signed, and is recorded', async () => {
    await world.register({ filters: ['appointment.*'], headers: { 'X-Env': 'prod' } });
    await world.register({ url: 'https://b.example', filters: ['appointment.confirmed'] });
    const eventId = await world.emit();
    const [delivery, ...others] = await delivered(eventId);
    expect(others).toEqual([]);
    expect(delivery).toMatchObject({
      status: 'succeeded',
      attemptCount: 1,
      maxAttempts: 9,
      lastResponseStatus: 200,
      trigger: 'event',
    });
    expect(delivery?.attempts).toMatchObject([{ attempt: 1, status: 200, errorCode: null }]);
    const [sent] = world.sender.sent;
    expect(sent?.headers).toMatchObject({
      'X-Env': 'prod',
      'webhook-id': eventId,
      'Service-Event-Type': 'appointment.created',
      'Service-Delivery-Id': delivery?.id,
      'Service-Attempt': '1',
    });
    expect(sent?.body).toBe((await world.event(eventId)).body);
  });

  it('reaches endpoints as they were when it was emitted', async () => {
    const early = await world.register();
    const { appointment } = await world.ledger.book();
    await world.register({ url: 'https://late.example' });
    await world.quiet();
    expect(world.sender.sent.map(({ url }) => url)).toEqual([URL]);
    expect(early.endpoint.url).toBe(URL);
    expect(world.sender.sent[0]?.body).toContain(appointment.id);
  });

  it('is listed at once, and also when nobody wanted it', async () => {
    const { appointment } = await world.ledger.book({ metadata: '{"2":1,"1":12345678901234567890}' });
    const [event] = (await world.events()).items;
    expect(event?.body).toContain('"metadata":{"2":1,"1":12345678901234567890}');
    expect(JSON.parse(event?.body ?? '')).toMatchObject({
      type: 'appointment.created',
      data: { object: { id: appointment.id, status: 'pending', version: 1 }, previous_attributes: { status: null } },
      previous_attributes: { status: null },
      change: { reason: 'booked', previous_version: 0 },
    });
    await world.quiet();
    const after = (await world.events()).items;
    expect(after).toEqual([event]);
    expect(await world.deliveries(event?.id ?? '')).toEqual([]);
    expect(await world.event(event?.id ?? '')).toEqual(event);
  });

  it('is one per transition, filtered by kind', async () => {
    const { appointment } = await world.ledger.book({ as: { status: 'confirmed' } });
    const later = { startsAt: NINE_ON_MONDAY + HALF_HOUR, endsAt: null, mode: 'cancel_and_recreate', confirm: false } as const;
    await world.ledger.change(appointment.id, { type: 'RescheduleAppointment', ...later });
    await world.ledger.change(appointment.id, { type: 'AmendAppointment', changes: { notes: 'x' } });
    const all = (await world.events(['appointment.*'])).items.map(
      ({ body }) => JSON.parse(body) as { type: string; sequence: number },
    );
    const kinds = ['created', 'confirmed', 'cancelled', 'created'].map((kind) => `appointment.${kind}`);
    expect(all.map(({ type }) => type)).toEqual(kinds);
    expect(all.map(({ sequence }) => sequence)).toEqual(all.map(({ sequence }) => sequence).toSorted((a, b) => a - b));
    expect((await world.events(['appointment.cancelled', 'appointment.confirmed'])).items).toHaveLength(2);
    expect((await world.events(['conversation.*'])).items).toEqual([]);
  });

  it('is nobody else’s, and gone after thirty days', async () => {
    const eventId = await world.emit();
    await expect(world.event(eventId, OTHER_PROJECT)).rejects.toMatchObject({ code: 'resource_missing' });
    await expect(world.deliveries(eventId, OTHER_PROJECT)).rejects.toMatchObject({ code: 'resource_missing' });
    world.ledger.clock.set(world.ledger.clock.now() + 30 * 24 * HOUR);
    await expect(world.event(eventId)).rejects.toMatchObject({ code: 'event_expired' });
    await expect(world.deliveries(eventId)).rejects.toMatchObject({ code: 'event_expired' });
    expect((await world.events()).items).toEqual([]);
  });
});

describe('a receiver that is down', () => {
  it('gets nine attempts over 41 h 35 m 35 s, the same bytes each time, and then no more', async () => {
    await world.register();
    world.sender.answer = () => answered(503, 'busy');
    const start = world.ledger.clock.now();
    const eventId = await world.emit();
    while (await nextAttempt(eventId));
    const { sent } = world.sender;
    expect(sent.map(({ at }) => (at - start) / 1_000)).toEqual([0, 5, 35, 335, 2_135, 9_335, 27_335, 63_335, 149_735]);
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    expect(new Set(sent.map(({ headers }) => headers['Service-Signature'])).size).toBe(9);
    expect(new Set(sent.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([eventId]));
    const [delivery] = await world.deliveries(eventId);
    expect(delivery).toMatchObject({ status: 'failed', failureReason: 'attempts_exhausted', attemptCount: 9, dueAt: null });
    expect(delivery?.attempts.map(({ body }) => body)).toEqual(Array.from({ length: 9 }, () => 'busy'));
    expect((await world.event(eventId)).summary).toEqual({ total: 1, succeeded: 0, pending: 0, failed: 1, cancelled: 0 });
  });

  it('gets the event as soon as it is up again', async () => {
    await world.register();
    world.sender.answer = (_request, count) => (count < 4 ? timedOut(0) : answered(204));
    const eventId = await world.emit();
    while (await nextAttempt(eventId));
    const [delivery] = await world.deliveries(eventId);
    expect(delivery).toMatchObject({ status: 'succeeded', attemptCount: 4, lastResponseStatus: 204 });
    expect(delivery?.attempts.map(({ errorCode }) => errorCode)).toEqual(['timeout', 'timeout', 'timeout', null]);
  });

  it('is asked again at once when its next attempt is due before the last one is over', async () => {
    await world.close();
    world = await DeliveryWorld.create({ retrySchedule: { waits: [0, 0, 0], mode: 'gap', jitter: 0 } });
    await world.register();
    world.sender.answer = (_request, count) => answered(count < 3 ? 503 : 200);
    const [delivery] = await delivered(await world.emit());
    expect(delivery?.attempts.map(({ status }) => status)).toEqual([503, 503, 200]);
  });

  it('is not asked again after a permanent rejection', async () => {
    await world.register();
    world.sender.answer = () => answered(410);
    const [delivery] = await delivered(await world.emit());
    expect(delivery).toMatchObject({ status: 'failed', failureReason: 'permanent_rejection', attemptCount: 1 });
  });
});

describe('a replay', () => {
  it('is a fresh delivery of the same bytes, at once', async () => {
    await world.register();
    world.sender.answer = (_request, count) => answered(count === 1 ? 404 : 200);
    const eventId = await world.emit();
    const [failed] = await delivered(eventId);
    const replay = await world.replay(eventId, failed?.id ?? '');
    expect(replay).toMatchObject({ status: 'pending', trigger: 'replay', replayOf: failed?.id, attempts: [] });
    const [original, fresh] = await delivered(eventId);
    expect(original).toEqual(failed);
    expect(fresh).toMatchObject({ id: replay.id, status: 'succeeded' });
    expect(world.sender.sent[1]?.body).toBe(world.sender.sent[0]?.body);
  });

  it('takes the place of what still waits', async () => {
    await world.register();
    world.sender.answer = (_request, count) => answered(count === 1 ? 503 : 200);
    const eventId = await world.emit();
    const [waiting] = await delivered(eventId);
    const replay = await world.replay(eventId, waiting?.id ?? '');
    await world.elapse(10_000);
    const [original] = await delivered(eventId);
    expect(original).toMatchObject({ status: 'cancelled', cancelReason: 'superseded', supersededBy: replay.id });
    expect(world.sender.sent).toHaveLength(2);
    expect((await world.event(eventId)).summary).toEqual({ total: 2, succeeded: 1, pending: 0, failed: 0, cancelled: 1 });
  });

  it('is one for one request, also when that runs again after its endpoint was disabled', async () => {
    const { endpoint } = await world.register();
    const eventId = await world.emit();
    const [done] = await delivered(eventId);
    const first = await world.replay(eventId, done?.id ?? '', world.ledger.context('key'));
    await world.quiet();
    await turn(endpoint.id, 'disabled');
    const again = await world.replay(eventId, done?.id ?? '', world.ledger.context('key', true));
    expect(again.id).toBe(first.id);
    expect(await delivered(eventId)).toHaveLength(2);
  });

  it('is made by a request that runs again when nothing came of it before', async () => {
    await world.register();
    const eventId = await world.emit();
    const [done] = await delivered(eventId);
    const { id } = await world.replay(eventId, done?.id ?? '', world.ledger.context('key', true));
    expect(await delivered(eventId)).toMatchObject([{ id: done?.id }, { id, replayOf: done?.id, status: 'succeeded' }]);
  });

  it('is refused for what is not there, disabled or too old', async () => {
    const { endpoint } = await world.register();
    const [eventId, otherEvent] = [await world.emit(), await world.emit(NINE_ON_MONDAY + HALF_HOUR)];
    const [delivery] = await delivered(eventId);
    const id = delivery?.id ?? '';
    await expect(world.replay(otherEvent, id)).rejects.toMatchObject({
      code: 'resource_missing',
      details: { param: 'delivery_id' },
    });
    const foreign = world.ledger.context(null, false, OTHER_PROJECT);
    await expect(world.replay(eventId, id, foreign)).rejects.toMatchObject({
      code: 'resource_missing',
      details: { param: 'id' },
    });
    await turn(endpoint.id, 'disabled');
    await expect(world.replay(eventId, id)).rejects.toMatchObject({ code: 'webhook_endpoint_disabled' });
    const deletion = { type: 'DeleteEndpoint', at: world.ledger.clock.now(), endpointId: endpoint.id } as const;
    await world.directory.run(LEDGER_PROJECT, deletion, originOf('delete'));
    await expect(world.replay(eventId, id)).rejects.toMatchObject({ code: 'resource_missing' });
    world.ledger.clock.set(world.ledger.clock.now() + 30 * 24 * HOUR);
    await expect(world.replay(eventId, id)).rejects.toMatchObject({ code: 'event_expired' });
  });
});

describe('an endpoint that goes away', () => {
  it.each([
    ['endpoint_deleted', { type: 'DeleteEndpoint' }],
    ['endpoint_disabled', { type: 'UpdateEndpoint', commandId: 'gone', changes: { status: 'disabled' } }],
  ] as const)('has what waits for it cancelled: %s', async (cancelReason, change) => {
    const { endpoint } = await world.register();
    world.sender.answer = () => answered(503);
    const eventId = await world.emit();
    await world.quiet();
    await world.directory.run(LEDGER_PROJECT, { ...change, at: 1, endpointId: endpoint.id }, originOf('gone'));
    expect(await delivered(eventId)).toMatchObject([{ status: 'cancelled', cancelReason, attemptCount: 1 }]);
    await world.elapse(10_000);
    expect(world.sender.sent).toHaveLength(1);
  });

  it('and comes back keeps what it is sent since, also when its going is told of again', async () => {
    const { endpoint } = await world.register();
    await turn(endpoint.id, 'disabled');
    await turn(endpoint.id, 'enabled');
    world.sender.answer = (_, count) => answered(count === 1 ? 503 : 200);
    const eventId = await world.emit();
    expect(await delivered(eventId)).toMatchObject([{ status: 'retrying' }]);
    const told = await world.ledger.ports.events.read(endpointsStream(LEDGER_PROJECT));
    for (const reactor of world.reactors) if (reactor.categories.includes('endpoints')) await reactor.handle(told, NEVER);
    expect(await nextAttempt(eventId)).toBe(true);
    expect(await delivered(eventId)).toMatchObject([{ status: 'succeeded', attemptCount: 2 }]);
  });

  it('and comes back gets nothing of what waited before, also when nobody has told of its going yet', async () => {
    const { endpoint } = await world.register();
    world.sender.answer = () => answered(503);
    const eventId = await world.emit();
    const [waiting] = await delivered(eventId);
    world = await world.killed();
    await turn(endpoint.id, 'disabled');
    await turn(endpoint.id, 'enabled');
    await world.working({ reactors: world.reactors.filter(({ name }) => name !== 'gone-endpoints') });
    world.ledger.clock.set(waiting?.dueAt ?? 0);
    await world.overdue.sweep(world.ledger.clock.now(), NEVER);
    expect(await delivered(eventId)).toMatchObject([{ status: 'cancelled', cancelReason: 'endpoint_disabled', attemptCount: 1 }]);
    expect(world.sender.sent).toHaveLength(1);
  });

  it('gets later attempts at its new address when it only moves', async () => {
    const { endpoint } = await world.register();
    world.sender.answer = ({ url }) => answered(url === URL ? 503 : 200);
    const eventId = await world.emit();
    await world.quiet();
    await update(endpoint.id, 'move', { url: 'https://new.example', filters: ['nothing.at_all'] });
    expect(await nextAttempt(eventId)).toBe(true);
    expect(await delivered(eventId)).toMatchObject([{ status: 'succeeded', url: 'https://new.example' }]);
  });
});

describe('endpoints beside a dead one', () => {
  it('get their events while it uses up its own share only', async () => {
    await world.register({ url: 'https://dead.example' });
    await world.register();
    world.sender.answer = (...sent) => (sent[0].url === URL ? answered(200) : world.sender.slowly(15_000)(...sent));
    for (let n = 0; n < 20; n++) await world.ledger.book({ startsAt: NINE_ON_MONDAY + n * HALF_HOUR });
    await world.quiet();
    expect(world.sender.to(URL)).toHaveLength(20);
    expect(world.sender.to('https://dead.example')).toHaveLength(4);
    await world.elapse(5 * 15_000, 1_000);
    expect(world.sender.most.get('https://dead.example')).toBe(4);
    expect(new Set(world.sender.to('https://dead.example').map(({ body }) => body)).size).toBe(20);
  });
});
