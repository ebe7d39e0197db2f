import { DeliveryWorld } from '@testing/delivery-world';
import { answered } from '@testing/fake-sender';
import { AttemptSteps, type AttemptStep } from './attempt-steps.js';

/** A process that stops dead after one of its steps, the first time it gets there. */
class Deadly extends AttemptSteps {
  died = false;

  constructor(private readonly at: AttemptStep) {
    super();
  }

  override reached(step: AttemptStep): Promise<void> {
    if (this.died || step !== this.at) return Promise.resolve();
    this.died = true;
    return new Promise(() => undefined);
  }
}

let world: DeliveryWorld;
afterEach(() => world.close());

async function dyingAt(step: AttemptStep, status: number): Promise<string> {
  const steps = new Deadly(step);
  world = await DeliveryWorld.create({}, steps);
  await world.register();
  world.sender.answer = (_request, count) => answered(count === 1 ? status : 200);
  const eventId = await world.emit();
  await world.quiet();
  expect(steps.died).toBe(true);
  world = await world.killed();
  await world.working({ sweepers: [world.overdue] });
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
    const eventId = await dyingAt('claim', 200);
    expect(await attemptsOf(eventId)).toEqual(['network_error', 200]);
    expect(world.sender.sent).toHaveLength(1);
  });

  it('after sending makes the receiver see it again', async () => {
    const eventId = await dyingAt('send', 200);
    expect(await attemptsOf(eventId)).toEqual(['network_error', 200]);
    expect(world.sender.sent.map(({ headers }) => headers['webhook-id'])).toEqual([eventId, eventId]);
  });

  it.each<AttemptStep>(['outcome', 'next_tier', 'offset'])('after its step %s loses and doubles nothing', async (step) => {
    const eventId = await dyingAt(step, 503);
    expect(await attemptsOf(eventId)).toEqual([503, 200]);
    expect(world.sender.sent).toHaveLength(2);
  });

  it.each<AttemptStep>(['outcome', 'next_tier', 'offset'])('after its step %s makes no second success', async (step) => {
    const eventId = await dyingAt(step, 200);
    expect(await attemptsOf(eventId)).toEqual([200]);
    expect(world.sender.sent).toHaveLength(1);
  });
});

describe('the sweep', () => {
  it('finds a retry whose pointer was lost, a minute after it was due', async () => {
    world = await DeliveryWorld.create();
    const { publishRetry } = world.topics;
    world.topics.publishRetry = () => Promise.resolve();
    await world.register();
    world.sender.answer = (_request, count) => answered(count === 1 ? 503 : 200);
    const eventId = await world.emit();
    await world.quiet();
    world.topics.publishRetry = publishRetry;
    const { clock } = world.ledger;
    await world.overdue.sweep(clock.now());
    for (const [seconds, sent] of [
      [6, 1],
      [58, 1],
      [2, 2],
    ] as const) {
      await world.elapse(seconds * 1_000);
      await world.overdue.sweep(clock.now());
      await world.quiet();
      expect(world.sender.sent).toHaveLength(sent);
    }
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
