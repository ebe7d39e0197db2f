import { DeliveryWorld } from '@testing/delivery-world';
import { answered, timedOut } from '@testing/fake-sender';

let world: DeliveryWorld;
afterEach(() => world.close());

it('attempts are counted by class of their answer, else by their error', async () => {
  world = await DeliveryWorld.create();
  world.sender.answer = (_, count) => [answered(503), timedOut(15_000), answered(503)][count - 1] ?? answered(204);
  await world.register();
  await world.emit();
  await world.elapse(10 * 60_000, 30_000);
  expect(world.counts.attemptsByOutcome).toEqual({ '2xx': 1, '5xx': 2, timeout: 1 });
});
