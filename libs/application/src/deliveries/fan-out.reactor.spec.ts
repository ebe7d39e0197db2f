import { DeliveryWorld } from '@testing/delivery-world';
import { answered } from '@testing/fake-sender';
import type { DeliveryPointer } from './delivery-pointer.js';

let world: DeliveryWorld;
afterEach(() => world.close());

describe('the pointer of a delivery', () => {
  it('is published once, whether the ledger or a replay asks for it', async () => {
    world = await DeliveryWorld.create();
    const published: string[] = [];
    const { topics } = world;
    const publish = topics.publish.bind(topics);
    topics.publish = (pointers: readonly DeliveryPointer[]) => {
      published.push(...pointers.map(({ deliveryId }) => deliveryId));
      return publish(pointers);
    };
    world.sender.answer = () => answered(410);
    await world.register();
    await world.register({ url: 'https://b.example/hooks' });
    const eventId = await world.emit();
    await world.elapse(2_000, 500);
    const first = (await world.deliveries(eventId)).map(({ id }) => id);
    expect(first).toHaveLength(2);
    const replay = await world.replay(eventId, first[0] ?? '');
    await world.elapse(2_000, 500);
    expect(published.toSorted()).toEqual([...first, replay.id].toSorted());
  });
});
