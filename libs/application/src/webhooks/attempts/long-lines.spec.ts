import { SchedulerWorld, pointerTo } from '@testing/scheduler-world';
import type { DeliveryPointer } from '../delivery-pointer.js';

const WAITING = 3_000;

let world: SchedulerWorld;
let inOrder: readonly string[];
beforeEach(() => {
  world = new SchedulerWorld();
  world.stored = Array.from({ length: WAITING }, (_, n) => pointerTo(`d${n}`));
  inOrder = world.stored.map(({ deliveryId }) => deliveryId);
});

/** Ends attempts one by one; meanwhile the pointers come that have not come yet, a few with each. */
async function servedWhile(coming: readonly DeliveryPointer[], each: number): Promise<void> {
  for (let n = 0; n < world.begun.length; n++) {
    for (const pointer of coming.slice(n * each, (n + 1) * each)) world.take(pointer);
    await world.done(world.begun[n] ?? '');
  }
}

describe('an endpoint for which more waits than is remembered', () => {
  it.each([1, 2, 50])('gets all in their order, while pointers go on coming: %d with each attempt', async (each) => {
    const [first, coming] = [world.stored.slice(0, 1_100), world.stored.slice(1_100)];
    for (const pointer of first) world.take(pointer);
    await servedWhile(coming, each);
    expect(world.begun).toEqual(inOrder);
  });

  it('gets those in order, too, whose pointers come while it is looked up', async () => {
    const { due } = world;
    const coming = [...world.stored];
    world.due = (pointer, limit) => {
      for (const late of coming.splice(0, 700)) world.take(late);
      return due.call(world, pointer, limit);
    };
    for (const pointer of coming.splice(0, 1_100)) world.take(pointer);
    await world.allDone();
    expect(world.begun).toEqual(inOrder);
  });

  it('gets what came while nothing was found, by another look-up', async () => {
    const { stored, due } = world;
    const late = pointerTo('late');
    world.stored = stored.slice(0, 1_010);
    let lookUps = 0;
    world.due = async (pointer, limit) => {
      const found = await due.call(world, pointer, limit);
      if (++lookUps !== 2) return found;
      world.stored.push(late);
      world.take(late);
      return found;
    };
    for (const pointer of world.stored) world.take(pointer);
    await world.allDone();
    world.take({ ...pointerTo('again'), more: true });
    await world.allDone();
    expect(world.begun).toEqual([...inOrder.slice(0, 1_010), 'again', 'late']);
  });
});
