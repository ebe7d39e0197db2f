import type { RetrySchedule } from '@domain/delivery/retry-schedule';
import { DeliveryWorld } from '@testing/delivery-world';
import { answered } from '@testing/fake-sender';
import { HALF_HOUR, NINE_ON_MONDAY } from '@testing/ledger-world';

const S = 1_000;
const HOUR = 3_600 * S;
const gap = (...seconds: number[]): RetrySchedule => ({ waits: seconds.map((each) => each * S), mode: 'gap', jitter: 0.1 });
/** How late a retry may be: its jitter, the sweep's two seconds and its pause. */
const LATE_MS = 500 + 3 * S;

const LATER = NINE_ON_MONDAY + HALF_HOUR;

let world: DeliveryWorld;
afterEach(() => world.close());

const url = (name: string, n: number) => `https://${name}.example/${n}`;

/** Endpoints whose first attempt fails. */
async function failing(name: string, count: number): Promise<void> {
  for (let n = 0; n < count; n++) await world.register({ url: url(name, n) });
}

/** When the attempts at each of these endpoints were made, counted from its first. */
function attemptsAt(name: string, count: number): readonly (readonly number[])[] {
  return Array.from({ length: count }, (_, n) => {
    const [first, ...later] = world.sender.to(url(name, n)).map(({ at }) => at);
    return later.map((at) => at - (first ?? 0));
  });
}

function expectEach(attempts: readonly (readonly number[])[], ...expected: readonly number[]): void {
  for (const each of attempts) {
    expect(each).toHaveLength(expected.length);
    for (const [index, seconds] of expected.entries()) {
      expect(each[index]).toBeGreaterThanOrEqual(seconds * S);
      expect(each[index]).toBeLessThanOrEqual(seconds * 1.1 * S + LATE_MS);
    }
  }
}

const sweeping = (made: DeliveryWorld) => made.working({ sweepers: [made.overdue, made.orphaned] });

describe('a retry is made in its time', () => {
  it('though others wait for longer under a schedule that was changed since', async () => {
    world = await DeliveryWorld.create({ retrySchedule: gap(0, 600) });
    world.sender.answer = () => answered(503);
    await failing('old', 20);
    await world.emit();
    await world.quiet();
    world = await world.killed({ retrySchedule: gap(0, 5) });
    await sweeping(world);
    await failing('new', 20);
    await world.emit(LATER);
    await world.quiet();
    await world.elapse(10 * S, S);
    expectEach(attemptsAt('new', 20), 5);
  });

  it('though others failed while the clock was an hour ahead, and those too', async () => {
    world = await DeliveryWorld.create({ retrySchedule: gap(0, 5) });
    await sweeping(world);
    world.sender.answer = () => answered(503);
    world.ledger.clock.set(world.ledger.clock.now() + HOUR);
    await failing('ahead', 5);
    const eventId = await world.emit();
    await world.quiet();
    const setBackAt = world.ledger.clock.now() - HOUR;
    world.ledger.clock.set(setBackAt);
    await failing('right', 20);
    await world.emit(LATER);
    await world.quiet();
    await world.elapse(12 * S, S);
    expectEach(attemptsAt('right', 20), 5);
    const again = world.sender.sent.filter(({ headers }) => headers['webhook-id'] === eventId).slice(5);
    expect(new Set(again.map(({ url: to }) => to)).size).toBe(5);
    for (const { at } of again) {
      expect(at - setBackAt).toBeGreaterThanOrEqual(5 * S);
      expect(at - setBackAt).toBeLessThanOrEqual(5 * S + LATE_MS);
    }
  });

  it('after a restart as well, which finds the clock put right', async () => {
    world = await DeliveryWorld.create({ retrySchedule: gap(0, 5) });
    world.sender.answer = (_request, count) => answered(count === 1 ? 503 : 200);
    world.ledger.clock.set(world.ledger.clock.now() + HOUR);
    await failing('ahead', 1);
    await world.emit();
    await world.quiet();
    world.ledger.clock.set(world.ledger.clock.now() - HOUR);
    const restartedAt = world.ledger.clock.now();
    world = await world.killed();
    await sweeping(world);
    await world.elapse(9 * S, S);
    const [, second] = world.sender.sent;
    expect((second?.at ?? 0) - restartedAt).toBeGreaterThanOrEqual(5 * S);
  });

  it('though others of the same event hang, where waits count from the first attempt', async () => {
    world = await DeliveryWorld.create({ retrySchedule: { waits: [0, 2 * S, 30 * S], mode: 'offset', jitter: 0 } });
    await sweeping(world);
    const hanging = world.sender.slowly(15 * S);
    world.sender.answer = (...sent) => (sent[0].url.includes('hanging') ? hanging(...sent) : answered(503));
    await failing('hanging', 4);
    await failing('quick', 20);
    await world.emit();
    await world.quiet();
    await world.elapse(36 * S, S);
    expectEach(attemptsAt('quick', 20), 2, 30);
  });
});
