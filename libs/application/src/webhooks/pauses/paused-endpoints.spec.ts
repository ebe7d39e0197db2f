import type { DeliveryEvent } from '@domain/delivery/delivery.events';
import { originOf } from '@testing/envelopes';
import { DeliveryWorld } from '@testing/delivery-world';
import { answered } from '@testing/fake-sender';
import { HALF_HOUR, LEDGER_PROJECT, NINE_ON_MONDAY } from '@testing/ledger-world';
import { OldestPending } from '../endpoints/oldest-pending.js';
import { TestEndpoint } from '../delivery.commands.js';
import { TestEndpointHandler } from '../test-endpoint.handler.js';

const DAY = 86_400_000;
const NEVER = new AbortController().signal;

let world: DeliveryWorld;
let endpointId: string;
let slots: number;
let turns: number;
beforeEach(async () => {
  [slots, turns] = [0, 0];
  world = await DeliveryWorld.create();
  endpointId = (await world.register()).endpoint.id;
});
afterEach(() => world.close());

type Turn = 'PauseEndpoint' | 'ResumeEndpoint' | 'DeleteEndpoint' | 'enabled' | 'disabled';

async function turn(to: Turn, of = world): Promise<void> {
  const commandId = `turn ${++turns}`;
  const about = { at: of.ledger.clock.now(), endpointId, commandId };
  const command =
    to === 'enabled' || to === 'disabled'
      ? ({ type: 'UpdateEndpoint', ...about, changes: { status: to } } as const)
      : ({ type: to, ...about, reason: 'user' } as const);
  await of.directory.run(LEDGER_PROJECT, command, originOf(commandId));
}

async function emit(): Promise<string> {
  const eventId = await world.emit(NINE_ON_MONDAY + slots++ * HALF_HOUR);
  await world.quiet();
  return eventId;
}

const only = async (eventId: string) => (await world.deliveries(eventId))[0];
const sentIds = () => world.sender.sent.map(({ headers }) => headers['webhook-id']);

/** How often it was paused or resumed, by the events of its stream. */
async function marks(eventId: string): Promise<readonly string[]> {
  const stored = await world.ledger.ports.events.read<DeliveryEvent>(`deliveries-${eventId}`);
  return stored.flatMap(({ event }) => {
    if (event.type === 'DeliveryScheduled' && event.paused) return ['scheduled paused'];
    return event.type === 'DeliveryPaused' || event.type === 'DeliveryResumed' ? [event.type] : [];
  });
}

describe('while an endpoint is paused', () => {
  it('events make deliveries that wait, use up no attempt and are due at no time', async () => {
    await turn('PauseEndpoint');
    const eventId = await emit();
    await world.elapse(3 * 3_600_000, 3_600_000);
    expect(await only(eventId)).toMatchObject({ status: 'pending', attemptCount: 0, dueAt: null });
    expect(world.sender.sent).toEqual([]);
    expect(await marks(eventId)).toEqual(['scheduled paused']);
  });

  it('no sweep finds what waits', async () => {
    await turn('PauseEndpoint');
    await emit();
    await world.elapse(60_000);
    const published = jest.spyOn(world.topics, 'publish');
    for (const sweeper of [world.overdue, world.orphaned]) await sweeper.sweep(world.ledger.clock.now(), NEVER);
    expect(published.mock.calls.flatMap(([pointers]) => pointers)).toEqual([]);
    expect(await world.found.dueFor({ projectId: LEDGER_PROJECT, endpointId } as never, 10)).toEqual([]);
  });

  it('what waits for its next attempt is due no more, and due again with the resumption', async () => {
    world.sender.answer = () => answered(503);
    const eventId = await emit();
    expect(await only(eventId)).toMatchObject({ status: 'retrying', dueAt: expect.any(Number) as number });
    await turn('PauseEndpoint');
    await world.quiet();
    expect(await only(eventId)).toMatchObject({ status: 'retrying', attemptCount: 1, dueAt: null });
    await world.elapse(60_000);
    world.sender.answer = () => answered(200);
    await turn('ResumeEndpoint');
    await world.quiet();
    expect(await only(eventId)).toMatchObject({ status: 'succeeded', attemptCount: 2 });
    expect(await marks(eventId)).toEqual(['DeliveryPaused', 'DeliveryResumed']);
  });

  it('an attempt under way is recorded, and its retry waits', async () => {
    let answer: () => void = () => undefined;
    world.sender.answer = () => new Promise((resolve) => (answer = () => resolve(answered(503))));
    const eventId = await emit();
    expect(await only(eventId)).toMatchObject({ status: 'delivering' });
    await turn('PauseEndpoint', world.beside());
    answer();
    await world.quiet();
    const { attempts, ...delivery } = (await only(eventId))!;
    expect(delivery).toMatchObject({ status: 'retrying', attemptCount: 1, dueAt: null });
    expect(attempts.map(({ status }) => status)).toEqual([503]);
  });

  it('no attempt begins later than two seconds after another process has answered the pause', async () => {
    await emit();
    await turn('PauseEndpoint', world.beside());
    const pausedAt = world.ledger.clock.now();
    for (let times = 0; times < 5; times++) {
      await world.elapse(500);
      await emit();
    }
    await world.elapse(60_000);
    expect(world.sender.sent.filter(({ at }) => at > pausedAt + 2_000)).toEqual([]);
  });

  it('what comes to its claim before the reactor comes to the pause waits from then on', async () => {
    world = await world.killed();
    await world.working({ reactors: world.reactors.filter(({ name }) => name !== 'paused-deliveries') });
    const { publish } = world.topics;
    const held: Parameters<typeof publish>[0][] = [];
    world.topics.publish = (pointers) => Promise.resolve(void held.push(pointers));
    const eventId = await emit();
    await turn('PauseEndpoint');
    for (const pointers of held) await publish.call(world.topics, pointers);
    await world.elapse(60_000);
    expect(await only(eventId)).toMatchObject({ status: 'pending', attemptCount: 0, dueAt: null });
    expect(await marks(eventId)).toEqual(['DeliveryPaused']);
    await turn('ResumeEndpoint');
    world = await (await world.killed()).working();
    await world.quiet();
    expect(await only(eventId)).toMatchObject({ status: 'succeeded', attemptCount: 1 });
  });

  it('tests are sent', async () => {
    await turn('PauseEndpoint');
    const { directory, streams, scheduling, ledger } = world;
    const handler = new TestEndpointHandler(directory, streams, scheduling, ledger.clock, ledger.ids);
    world.sender.answer = (_request, count) => answered(count === 1 ? 503 : 200);
    const test = await handler.execute(new TestEndpoint(ledger.context(), endpointId, 'appointment.created', {}));
    await world.elapse(10_000, 1_000);
    expect(await only(test.eventId)).toMatchObject({ status: 'succeeded', attemptCount: 2 });
  });

  it('a replay makes a delivery that waits', async () => {
    const eventId = await emit();
    await turn('PauseEndpoint');
    const replay = await world.replay(eventId, (await only(eventId))!.id);
    expect(replay).toMatchObject({ status: 'pending', trigger: 'replay', dueAt: null });
    await world.elapse(60_000);
    expect(sentIds()).toEqual([eventId]);
    await turn('ResumeEndpoint');
    await world.quiet();
    expect(sentIds()).toEqual([eventId, eventId]);
  });
});

describe('an endpoint that is resumed', () => {
  it.each<Turn>(['ResumeEndpoint', 'enabled'])('by %s gets all that waited, in the order of the events', async (how) => {
    await turn('PauseEndpoint');
    const waiting = [];
    for (let count = 0; count < 12; count++) waiting.push(await emit());
    await world.elapse(60_000);
    await turn(how);
    await world.elapse(3_000, 1_000);
    // Several are sent at once: the order is that in which they are begun.
    expect(sentIds()).toEqual(waiting);
    expect(await marks(waiting[0] ?? '')).toEqual(['scheduled paused', 'DeliveryResumed']);
  });

  it('loses nothing that is more than a page', async () => {
    await turn('PauseEndpoint');
    const eventId = await emit();
    const { id } = (await only(eventId))!;
    for (let count = 0; count < 603; count++) await world.replay(eventId, id);
    await world.elapse(60_000);
    await turn('ResumeEndpoint');
    await world.elapse(100_000, 2_000);
    const ended = (await world.streams.load(eventId)).deliveries.map(({ status }) => status);
    expect(ended.filter((status) => status === 'succeeded')).toHaveLength(603);
    expect(ended.filter((status) => status === 'cancelled')).toHaveLength(1);
  });

  it('gets what was scheduled as of the time when it was paused, though that comes later', async () => {
    await turn('PauseEndpoint');
    const { appointment } = await world.ledger.book();
    await turn('ResumeEndpoint');
    await world.quiet();
    expect(world.sender.sent.filter(({ body }) => body.includes(appointment.id))).toHaveLength(1);
  });

  it('before a process died gets all by the next one', async () => {
    await turn('PauseEndpoint');
    const waiting = [await emit(), await emit(), await emit()];
    world.topics.publish = () => Promise.resolve();
    await turn('ResumeEndpoint');
    world = await world.killed();
    await world.working({ sweepers: [world.overdue] });
    await world.elapse(3_000, 1_000);
    expect([...sentIds()].toSorted()).toEqual(waiting.toSorted());
  });
});

describe('a paused endpoint that is', () => {
  it.each([
    ['disabled', 'disabled', 'endpoint_disabled'],
    ['deleted', 'DeleteEndpoint', 'endpoint_deleted'],
  ] as const)('%s has cancelled what waited for it', async (_, to, cancelReason) => {
    await turn('PauseEndpoint');
    const eventId = await emit();
    await turn(to);
    await world.quiet();
    expect(await only(eventId)).toMatchObject({ status: 'cancelled', cancelReason });
    expect(world.sender.sent).toEqual([]);
  });

  it('deleted has cancelled what was scheduled as of the time before, too', async () => {
    await turn('PauseEndpoint');
    await world.ledger.book();
    await turn('DeleteEndpoint');
    await world.elapse(2_000, 1_000);
    const [event] = (await world.events()).items;
    expect(await only(event?.id ?? '')).toMatchObject({ status: 'cancelled', cancelReason: 'endpoint_deleted' });
  });
});

describe('an event that expires while deliveries of it wait for a paused endpoint', () => {
  it('has them cancelled, and its bytes dropped', async () => {
    await turn('PauseEndpoint');
    const eventId = await emit();
    await world.elapse(1_000);
    const oldest = new OldestPending(world.ledger.ports.readModels);
    expect(await oldest.createdAt(LEDGER_PROJECT, endpointId)).toBeGreaterThan(0);
    world.ledger.clock.set(world.ledger.clock.now() + 31 * DAY);
    await world.ledger.sweep(world.retention);
    await world.elapse(1_000);
    expect(await world.streams.isGone(eventId)).toBe(true);
    expect(await oldest.createdAt(LEDGER_PROJECT, endpointId)).toBeNull();
    const rows = await world.ledger.ports.readModels.page('deliveries', {
      projectId: LEDGER_PROJECT,
      filter: [],
      order: 'asc',
      limit: 10,
      includeDeleted: true,
    });
    expect(rows.map(({ deleted, row }) => [deleted, row])).toMatchObject([
      [true, { status: 'cancelled', cancelReason: 'event_expired' }],
    ]);
    await turn('ResumeEndpoint');
    await world.elapse(1_000);
    expect(world.sender.sent).toEqual([]);
  });
});
