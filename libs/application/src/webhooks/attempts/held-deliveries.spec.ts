import { DeliveryWorld } from '@testing/delivery-world';
import { answered } from '@testing/fake-sender';
import { HALF_HOUR, NINE_ON_MONDAY } from '@testing/ledger-world';
import { parsePointer } from '../delivery-pointer.js';
import { OverdueGauge } from './overdue-gauge.js';

const MINUTE = 60_000;
const NEVER = new AbortController().signal;

let world: DeliveryWorld;
/** Events of attempts started since the process's start, in order. */
let takenUp: string[];
afterEach(() => world.close());

/** Sweeps like its host, until nothing more happens. */
async function sweep(): Promise<void> {
  await world.overdue.sweep(world.ledger.clock.now(), NEVER);
  await world.orphaned.sweep(world.ledger.clock.now(), NEVER);
  await world.quiet();
}
const restart = async (webhookDelivery: 'on' | 'hold') => {
  world = await world.killed({ webhookDelivery });
  takenUp = [];
  const { consumer } = world;
  const onPointer = consumer.onPointer.bind(consumer);
  consumer.onPointer = (value, message) => {
    takenUp.push(parsePointer(value)!.eventId);
    return onPointer(value, message);
  };
  await world.working();
  await sweep();
};
const emit = async (n: number) => {
  const id = await world.emit(NINE_ON_MONDAY + n * HALF_HOUR);
  await world.quiet();
  return id;
};
const sent = () => world.sender.sent.map(({ headers }) => headers['webhook-id']);

describe('deliveries on hold', () => {
  it('stay as they are, however long, and count for nothing', async () => {
    world = await DeliveryWorld.create({ webhookDelivery: 'hold' });
    await world.register();
    const eventId = await emit(1);
    for (let hour = 0; hour < 30; hour++) {
      await world.ledger.clock.advance(60 * MINUTE);
      await sweep();
    }
    expect(sent()).toEqual([]);
    expect(await world.deliveries(eventId)).toMatchObject([{ status: 'pending', attemptCount: 0, attempts: [] }]);
    expect(await new OverdueGauge(world.found, world.settings, world.ledger.clock).count()).toBe(0);
  });

  it('are all due at once when a start sends again, in the order of their events, those that had failed too', async () => {
    world = await DeliveryWorld.create();
    world.sender.answer = () => answered(503);
    await world.register();
    const tried = await emit(1);
    await restart('hold');
    const others = [await emit(2), await emit(3), await emit(4)];
    const [replayed] = await world.deliveries(others[0]!);
    await world.replay(others[0]!, replayed!.id);
    await world.ledger.clock.advance(10 * MINUTE);
    await sweep();
    expect(sent()).toEqual([tried]);
    world.sender.answer = () => answered(200);
    await restart('on');
    expect(takenUp).toEqual([tried, others[1], others[2], others[0]]);
    expect(sent().toSorted()).toEqual([tried, tried, ...others].toSorted());
    expect(await world.deliveries(tried)).toMatchObject([{ status: 'succeeded', attemptCount: 2 }]);
  });

  it('that were under way when the copy was made are tried again, and the attempt that was cut counts as after a crash', async () => {
    world = await DeliveryWorld.create();
    await world.register();
    world.sender.answer = () => new Promise(() => undefined);
    const eventId = await emit(1);
    await restart('hold');
    expect(await world.deliveries(eventId)).toMatchObject([{ status: 'delivering', attemptCount: 1 }]);
    world.sender.answer = () => answered(200);
    await restart('on');
    expect(await world.deliveries(eventId)).toMatchObject([{ status: 'succeeded', attemptCount: 2 }]);
  });
});
