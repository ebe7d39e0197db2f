import { DeliveryWorld } from '@testing/delivery-world';
import { answered } from '@testing/fake-sender';

const S = 1_000;
const ENDPOINTS = 12;

let world: DeliveryWorld;
afterEach(() => world.close());

/** By endpoint: the processes that took up its attempts. */
function noteOwners(processes: readonly DeliveryWorld[]): ReadonlyMap<string, ReadonlySet<number>> {
  const owners = new Map<string, Set<number>>();
  for (const [index, { scheduler }] of processes.entries()) {
    const admit = scheduler.admit.bind(scheduler);
    scheduler.admit = (pointer, ...others) => {
      owners.set(pointer.endpointId, (owners.get(pointer.endpointId) ?? new Set()).add(index));
      return admit(pointer, ...others);
    };
  }
  return owners;
}

describe('the attempts of an endpoint', () => {
  it.each([2, 3, 4, 5, 6, 7, 8, 9])('are made by one process, first and later ones, where there are %i', async (count) => {
    world = await DeliveryWorld.create();
    const others = Array.from({ length: count - 1 }, () => world.beside());
    for (const other of others) await other.consuming();
    const owners = noteOwners([world, ...others]);
    world.sender.answer = () => answered(503);
    for (let n = 0; n < ENDPOINTS; n++) await world.register({ url: `https://${n}.example/` });
    await world.emit();
    for (const seconds of [0, 6, 31]) await world.elapse(seconds * S);
    await world.quiet();
    // The first attempt, and those after 5 and 30 seconds, come from three topics.
    expect(world.sender.sent).toHaveLength(3 * ENDPOINTS);
    expect([...owners.values()].map(({ size }) => size)).toEqual(Array(ENDPOINTS).fill(1));
    expect(new Set([...owners.values()].flatMap((each) => [...each])).size).toBeGreaterThan(1);
  });
});
