import { FIRST_TOPIC } from '@domain/delivery/tiers';
import type { DomainEvent } from '@domain/kernel/decider';
import { START, type Position } from '@ports/event-store.port';
import { DeliveryWorld } from '@testing/delivery-world';
import { answered } from '@testing/fake-sender';
import { HALF_HOUR, NINE_ON_MONDAY } from '@testing/ledger-world';

/** The durable steps from an event to the end of an attempt, in order: each is one call of a port. */
type Step = 'schedule' | 'publish' | 'claim' | 'send' | 'outcome' | 'next tier' | 'offset';

/** A process that dies after one of its steps, once: what it stored stays, and its caller never goes on. */
class DyingProcess {
  died = false;
  /** Rejects what hangs, because the host waits for its reactors. Call when the dead process is removed. */
  bury: () => void = () => undefined;

  constructor(private readonly after: Step) {}

  /** Wraps the ports that the steps go through. */
  wrap({ ledger, sender }: DeliveryWorld): void {
    const { events, bus } = ledger.ports;
    const { append } = events;
    events.append = async (stream, added, expected) => {
      const appended = await append.call(events, stream, added, expected);
      if (stream.startsWith('deliveries-')) for (const { event } of added) await this.reached(stepOf(event.type));
      return appended;
    };
    const { publish, consume } = bus;
    bus.publish = async (topic, messages) => {
      await publish.call(bus, topic, messages);
      await this.reached(topic === FIRST_TOPIC ? 'publish' : 'next tier');
    };
    bus.consume = (group, topics, handler) =>
      consume.call(bus, group, topics, async (message) => {
        const result = await handler(message);
        return result.kind === 'accepted' ? { kind: 'accepted', done: result.done.then(() => this.reached('offset')) } : result;
      });
    const { send } = sender;
    sender.send = async (request) => {
      const result = await send.call(sender, request);
      await this.reached('send');
      return result;
    };
  }

  private reached(step: Step | null): Promise<void> {
    if (this.died || step !== this.after) return Promise.resolve();
    this.died = true;
    return new Promise((_, reject) => (this.bury = () => reject(new Error('dead'))));
  }
}

function stepOf(type: string): Step | null {
  if (type === 'EventFrozen') return 'schedule';
  if (type === 'DeliveryClaimed') return 'claim';
  return ['DeliverySucceeded', 'DeliveryRetryScheduled', 'DeliveryFailed'].includes(type) ? 'outcome' : null;
}

const NEVER = new AbortController().signal;

let world: DeliveryWorld;
afterEach(() => world.close());

const HOUR = 3_600_000;

async function dyingAfter(step: Step, status: number, clockSetBackBy = 0): Promise<string> {
  const dying = new DyingProcess(step);
  world = await DeliveryWorld.create({}, (made) => dying.wrap(made));
  await world.register();
  world.sender.answer = (_request, count) => answered(count === 1 ? status : 200);
  const eventId = await world.emit();
  await world.quiet();
  expect(dying.died).toBe(true);
  world.ledger.clock.set(world.ledger.clock.now() - clockSetBackBy);
  world = await world.killed();
  await world.working({ sweepers: [world.overdue, world.orphaned] });
  await world.elapse(6_000, 1_000);
  return eventId;
}

async function attemptsOf(eventId: string) {
  const [delivery, ...others] = await world.deliveries(eventId);
  expect(others).toEqual([]);
  expect(delivery?.status).toBe('succeeded');
  return delivery?.attempts.map(({ status, errorCode }) => status ?? errorCode);
}

describe('a process that dies', () => {
  it('after the claim has its attempt counted as cut, and the next made at once', async () => {
    const eventId = await dyingAfter('claim', 200);
    expect(await attemptsOf(eventId)).toEqual(['network_error', 200]);
    expect(world.sender.sent).toHaveLength(1);
  });

  it('after the claim has the next made at once, though the clock is set back before the next start', async () => {
    const eventId = await dyingAfter('claim', 200, HOUR);
    expect(await attemptsOf(eventId)).toEqual(['network_error', 200]);
  });

  it('after sending makes the receiver see it again', async () => {
    const eventId = await dyingAfter('send', 200);
    expect(await attemptsOf(eventId)).toEqual(['network_error', 200]);
    expect(world.sender.sent.map(({ headers }) => headers['webhook-id'])).toEqual([eventId, eventId]);
  });

  it.each<Step>(['outcome', 'next tier', 'offset'])('after its step %s loses and doubles nothing', async (step) => {
    const eventId = await dyingAfter(step, 503);
    expect(await attemptsOf(eventId)).toEqual([503, 200]);
    expect(world.sender.sent).toHaveLength(2);
  });

  it.each<Step>(['outcome', 'offset'])('after its step %s makes no second success', async (step) => {
    const eventId = await dyingAfter(step, 200);
    expect(await attemptsOf(eventId)).toEqual([200]);
    expect(world.sender.sent).toHaveLength(1);
  });
});

describe('a fan-out that dies', () => {
  let fanOut: DyingProcess;
  afterEach(() => fanOut.bury());

  /** Where the fan-out would start after a crash now. */
  async function reached(): Promise<Position> {
    const stored = await world.ledger.ports.events.read<DomainEvent & { position: Position }>('reactor-webhook-fan-out');
    return stored.at(-1)?.event.position ?? START;
  }

  /** The position of the change that emitted the event. */
  async function positionOf(eventId: string): Promise<Position> {
    const { events } = world.ledger.ports;
    const [frozen] = await events.read<DomainEvent & { appointmentId: string }>(`deliveries-${eventId}`, { limit: 1 });
    const [change] = await events.read(`appointment-${frozen?.event.appointmentId}`);
    return change?.position ?? START;
  }

  async function dying(step: Step, status: number): Promise<string> {
    fanOut = new DyingProcess(step);
    world = await DeliveryWorld.create({}, (made) => fanOut.wrap(made));
    await world.register();
    world.sender.answer = (_request, count) => answered(count === 1 ? status : 200);
    const eventId = await world.emit();
    await world.elapse(2_000);
    expect(fanOut.died).toBe(true);
    expect((await reached()) < (await positionOf(eventId))).toBe(true);
    return eventId;
  }

  /** Without the sweep: the fan-out itself finds what was left undone. */
  async function livingOn(): Promise<void> {
    const diedAt = await world.ledger.ports.events.head();
    fanOut.bury();
    world = await world.killed();
    await world.working();
    await world.elapse(6_000, 1_000);
    expect((await reached()) >= diedAt).toBe(true);
  }

  it('after scheduling publishes what it had scheduled, and schedules nothing twice', async () => {
    const eventId = await dying('schedule', 200);
    expect(world.sender.sent).toEqual([]);
    await livingOn();
    expect(await attemptsOf(eventId)).toEqual([200]);
    expect(world.sender.sent).toHaveLength(1);
  });

  it.each([
    [200, [200]],
    [503, [503, 200]],
  ])('between publishing and its checkpoint publishes again, and nobody sees an attempt twice: %d', async (status, attempts) => {
    const eventId = await dying('publish', status);
    expect(world.sender.sent).toHaveLength(1);
    await livingOn();
    expect(await attemptsOf(eventId)).toEqual(attempts);
    expect(world.sender.sent).toHaveLength(attempts.length);
  });

  it('between publishing and its checkpoint ends a delivery that its receiver refused for good only once', async () => {
    const eventId = await dying('publish', 410);
    await livingOn();
    const deliveries = await world.deliveries(eventId);
    expect(deliveries.map(({ status, attempts }) => [status, attempts.length])).toEqual([['failed', 1]]);
    expect(world.sender.sent).toHaveLength(1);
  });

  it('loses no event that came while it lay dead', async () => {
    const first = await dying('publish', 200);
    const second = await world.emit(NINE_ON_MONDAY + HALF_HOUR);
    await livingOn();
    expect([await attemptsOf(first), await attemptsOf(second)]).toEqual([[200], [200]]);
    expect(world.sender.sent).toHaveLength(2);
  });
});

/** Drops pointers to second attempts until the returned function is called. */
function losingRetries(): () => void {
  const { topics } = world;
  const publish = topics.publish.bind(topics);
  topics.publish = (pointers) => publish(pointers.filter(({ attempt }) => attempt === 1));
  return () => void (topics.publish = publish);
}

describe('the sweep', () => {
  it('finds a retry whose pointer was lost, a second after it was due', async () => {
    world = await DeliveryWorld.create();
    const found = losingRetries();
    await world.register();
    world.sender.answer = (_request, count) => answered(count === 1 ? 503 : 200);
    const eventId = await world.emit();
    await world.quiet();
    found();
    const { clock } = world.ledger;
    await world.overdue.sweep(clock.now(), NEVER);
    for (const [seconds, sent] of [
      [5, 1],
      [1, 2],
    ] as const) {
      await world.elapse(seconds * 1_000);
      await world.overdue.sweep(clock.now(), NEVER);
      await world.quiet();
      expect(world.sender.sent).toHaveLength(sent);
    }
    expect(await attemptsOf(eventId)).toEqual([503, 200]);
  });

  it('finds a retry that was recorded and not published before a crash, though it was not due yet at the start', async () => {
    world = await DeliveryWorld.create();
    losingRetries();
    await world.register();
    world.sender.answer = (_request, count) => answered(count === 1 ? 503 : 200);
    const eventId = await world.emit();
    await world.quiet();
    world = await world.killed();
    await world.working({ sweepers: [world.overdue] });
    await world.elapse(4_000, 1_000);
    expect(world.sender.sent).toHaveLength(1);
    await world.elapse(4_000, 1_000);
    expect(await attemptsOf(eventId)).toEqual([503, 200]);
  });

  it('finds a delivery whose pointer was never published', async () => {
    world = await DeliveryWorld.create();
    world.topics.publish = () => Promise.resolve();
    await world.register();
    const eventId = await world.emit();
    await world.quiet();
    expect(world.sender.sent).toEqual([]);
    world = await world.killed();
    await world.working({ sweepers: [world.overdue] });
    await world.quiet();
    expect(await attemptsOf(eventId)).toEqual([200]);
  });
});
