import type { Task } from '@domain/task/task';
import { ENVELOPE } from '@testing/envelopes';
import { DeliveryWorld } from '@testing/delivery-world';
import { answered, timedOut } from '@testing/fake-sender';
import { HALF_HOUR, LEDGER_PROJECT, NINE_ON_MONDAY } from '@testing/ledger-world';
import type { WebhookRequest } from '@ports/webhook-sender.port';
import type { RetryParameters } from './retry-parameters.js';

const URL = 'https://a.example/hooks';

let world: DeliveryWorld;
let endpointId: string;
beforeEach(async () => {
  world = await DeliveryWorld.withTasks();
  ({ id: endpointId } = (await world.register()).endpoint);
});
afterEach(() => world.close());

const fails = () => (world.sender.answer = () => answered(404));
const works = () => (world.sender.answer = () => answered(200));

/** Emits so many events, of appointments of their own, and waits until their deliveries have gone as they go. */
async function emit(count: number): Promise<readonly string[]> {
  const eventIds: string[] = [];
  for (let number = 0; number < count; number++) {
    eventIds.push(await world.emit(NINE_ON_MONDAY + ++booked * HALF_HOUR));
    world.ledger.clock.set(world.ledger.clock.now() + 1);
  }
  await world.quiet();
  return eventIds;
}
let booked = 0;

async function retry(parameters: Partial<RetryParameters> = {}): Promise<Task> {
  const { id } = await world.bulk.retry({ endpoint_id: endpointId, ...parameters });
  await world.elapse(3_000, 100);
  return world.bulk.tasks.load(LEDGER_PROJECT, id);
}

const skips = { recovered: 0, superseded: 0, endpoint_unavailable: 0, event_expired: 0, limit_exceeded: 0 };
const told = ({ status, progress }: Task) => ({ status, ...progress });
const eventIn = ({ body }: WebhookRequest) => (JSON.parse(String(body)) as { id: string }).id;
const statuses = async (eventId: string) =>
  (await world.deliveries(eventId)).map(({ status, trigger }) => `${trigger} ${status}`);

describe('a task that replays many deliveries', () => {
  it('makes one fresh delivery of each that failed, oldest first, and tells how many', async () => {
    fails();
    const eventIds = await emit(3);
    works();
    const task = await retry();
    expect(told(task)).toMatchObject({ status: 'completed', examined: 3, total: 3, matched: 3, created: 3, skipped: skips });
    for (const eventId of eventIds) {
      const [original, fresh] = await world.deliveries(eventId);
      expect(original).toMatchObject({ status: 'failed', trigger: 'event' });
      expect(fresh).toMatchObject({ status: 'succeeded', trigger: 'bulk_replay', replayOf: original!.id });
    }
    expect(world.sender.to(URL).slice(3).map(eventIn)).toEqual(eventIds);
  });

  it('does so again for what failed again, and leaves out what has come through', async () => {
    fails();
    const [, second] = await emit(2);
    world.sender.answer = (request) => answered(eventIn(request) === second ? 404 : 200);
    await retry();
    works();
    const task = await retry();
    expect(told(task)).toMatchObject({ matched: 3, created: 1, skipped: { ...skips, recovered: 1, superseded: 1 } });
    expect(await statuses(second!)).toEqual(['event failed', 'bulk_replay failed', 'bulk_replay succeeded']);
  });

  it('takes the place of what still waits for its next attempt', async () => {
    world.sender.answer = () => timedOut(0);
    const [eventId] = await emit(1);
    works();
    expect(told(await retry())).toMatchObject({ matched: 0, created: 0 });
    const task = await retry({ status: ['failed', 'retrying'] });
    expect(told(task)).toMatchObject({ matched: 1, created: 1 });
    const [original, fresh] = await world.deliveries(eventId!);
    expect(original).toMatchObject({ status: 'cancelled', cancelReason: 'superseded', supersededBy: fresh!.id });
    expect(fresh).toMatchObject({ status: 'succeeded', replayOf: original!.id });
  });

  it('selects by what a list is filtered by', async () => {
    fails();
    const [first, second] = await emit(2);
    const [object_id] = [(await world.streams.load(second!)).event!.appointmentId];
    const { createdAt } = (await world.deliveries(second!))[0]!;
    const since = new Date(createdAt).toISOString();
    works();
    const dry = { dry_run: true, endpoint_id: endpointId };
    const found = async (parameters: Partial<RetryParameters>) =>
      (await retry({ ...dry, ...parameters })).progress?.details['sample'];
    const of = async (eventId: string) => (await world.deliveries(eventId))[0]!.id;
    const [one, other] = [await of(first!), await of(second!)];
    expect(await found({})).toEqual([one, other]);
    expect(await found({ object_id })).toEqual([other]);
    expect(await found({ created_at: { gte: since } })).toEqual([other]);
    expect(await found({ created_at: { lt: since } })).toEqual([one]);
    expect(await found({ event_type: 'appointment.*' })).toEqual([one, other]);
    expect(await found({ event_type: 'appointment.cancelled' })).toEqual([]);
    expect(await found({ response_status_class: '5xx' })).toEqual([]);
    expect(await found({ response_status_class: '4xx' })).toEqual([one, other]);
    expect(await found({ error_code: 'timeout' })).toEqual([]);
  });

  it('leaves out endpoints that are gone, and events that are expired', async () => {
    fails();
    await emit(2);
    works();
    world.ledger.clock.set(world.ledger.clock.now() + 30 * 86_400_000 + 1);
    expect(told(await retry())).toMatchObject({ created: 0, skipped: { ...skips, event_expired: 2 } });
    const gone = { type: 'DeleteEndpoint', at: world.ledger.clock.now(), endpointId } as const;
    await world.directory.run(LEDGER_PROJECT, gone, world.ledger.context());
    expect(told(await retry())).toMatchObject({ created: 0, skipped: { ...skips, endpoint_unavailable: 2 } });
  });

  it('tells in a dry run what the real one would do, and does nothing', async () => {
    fails();
    const eventIds = await emit(2);
    works();
    const before = world.sender.sent.length;
    const task = await retry({ dry_run: true });
    const { details, ...counts } = task.progress!;
    expect(counts).toEqual({ examined: 2, total: 2, matched: 2, created: 0, skipped: skips });
    const times = (await world.events()).items.map(({ body }) => (JSON.parse(body) as { created_at: string }).created_at);
    expect(details).toMatchObject({ would_create: 2, events: 2, appointments: 2 });
    expect(details).toMatchObject({ oldest_event_at: times[0], newest_event_at: times[1] });
    const originals = await Promise.all(eventIds.map(async (eventId) => (await world.deliveries(eventId))[0]!.id));
    expect(details['sample']).toEqual(originals);
    expect(world.sender.sent).toHaveLength(before);
    expect((await retry({ dry_run: true, created_at: { lt: '2000-01-01T00:00:00Z' } })).progress?.details).toEqual({
      would_create: 0,
      events: 0,
      appointments: 0,
      oldest_event_at: null,
      newest_event_at: null,
      sample: [],
    });
  });

  it('keeps to its pace', async () => {
    fails();
    await emit(9);
    works();
    const before = world.sender.sent.length;
    const { id } = await world.bulk.retry({ endpoint_id: endpointId, per_second: 2 });
    await world.elapse(3_000, 100);
    const sent = world.sender.sent.length - before;
    expect(sent).toBeGreaterThanOrEqual(4);
    expect(sent).toBeLessThanOrEqual(6);
    await world.elapse(4_000, 100);
    expect((await world.bulk.tasks.load(LEDGER_PROJECT, id)).status).toBe('completed');
  });

  it('never replays the deliveries of tests', async () => {
    fails();
    const at = world.ledger.clock.now();
    const eventId = world.ledger.ids.next('event');
    const about = { eventId, projectId: LEDGER_PROJECT, eventType: 'appointment.created', appointmentId: 'apt_1', emittedAt: at };
    const endpoint = await world.directory.load(LEDGER_PROJECT, endpointId);
    const delivery = world.scheduling.newDelivery(endpoint, world.ledger.ids.next('delivery'), 'test', at);
    const event = { ...about, body: '{}', test: true };
    await world.streams.freeze({ type: 'FreezeEvent', at, event, deliveries: [delivery] }, ENVELOPE);
    await world.quiet();
    expect(world.sender.sent).toHaveLength(1);
    expect((await retry()).progress).toMatchObject({ matched: 0 });
  });
});

describe('a task that sends what still matters', () => {
  it('sends the newest event of each appointment, once, and cancels what waits of older ones', async () => {
    world.sender.answer = () => timedOut(0);
    const { appointment } = await world.ledger.book({ startsAt: NINE_ON_MONDAY + 1_000 * HALF_HOUR });
    await world.quiet();
    await world.ledger.change(appointment.id, { type: 'ConfirmAppointment' });
    await world.quiet();
    works();
    const eventIds = (await world.events()).items.map(({ id }) => id);
    const before = world.sender.sent.length;
    const task = await retry({ mode: 'latest', status: ['failed', 'retrying', 'pending'] });
    expect(told(task)).toMatchObject({ matched: 2, created: 1, skipped: { ...skips, superseded: 1 } });
    expect(world.sender.sent.slice(before).map(eventIn)).toEqual([eventIds[1]]);
    expect(await statuses(eventIds[0]!)).toEqual(['event cancelled']);
    expect(await statuses(eventIds[1]!)).toEqual(['event cancelled', 'bulk_replay succeeded']);
  });

  it('sends nothing of an appointment whose newest event has come through', async () => {
    fails();
    const { appointment } = await world.ledger.book({ startsAt: NINE_ON_MONDAY + 2_000 * HALF_HOUR });
    await world.quiet();
    works();
    await world.ledger.change(appointment.id, { type: 'ConfirmAppointment' });
    await world.quiet();
    const before = world.sender.sent.length;
    expect(told(await retry({ mode: 'latest' }))).toMatchObject({ matched: 1, created: 0, skipped: { ...skips, superseded: 1 } });
    expect(world.sender.sent).toHaveLength(before);
  });

  it('sends the newest event although the endpoint has no delivery of it', async () => {
    fails();
    const { appointment } = await world.ledger.book({ startsAt: NINE_ON_MONDAY + 3_000 * HALF_HOUR });
    await world.quiet();
    const set = (status: 'enabled' | 'disabled') =>
      world.directory.run(
        LEDGER_PROJECT,
        { type: 'UpdateEndpoint', at: world.ledger.clock.now(), endpointId, commandId: status, changes: { status } },
        world.ledger.context(),
      );
    await set('disabled');
    await world.ledger.change(appointment.id, { type: 'ConfirmAppointment' });
    await world.quiet();
    await set('enabled');
    works();
    const [, newest] = (await world.events()).items;
    expect(told(await retry({ mode: 'latest' }))).toMatchObject({ matched: 1, created: 1, skipped: { ...skips, superseded: 1 } });
    expect(await world.deliveries(newest!.id)).toMatchObject([{ status: 'succeeded', trigger: 'bulk_replay', replayOf: null }]);
  });
});
