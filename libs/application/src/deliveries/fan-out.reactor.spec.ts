import { booked } from '@testing/appointment-events';
import { claimed } from '@testing/delivery-events';
import { DeliveryWorld } from '@testing/delivery-world';
import { answered } from '@testing/fake-sender';
import type { Recorded } from '@ports/event-store.port';
import { AttemptSteps } from './attempt-steps.js';
import type { DeliveryPointer } from './delivery-pointer.js';
import type { DeliveryTopics } from './delivery-topics.js';
import type { EndpointHistory } from './endpoint-history.js';
import type { EventFanOut } from './event-fan-out.js';
import { FanOutReactor } from './fan-out.reactor.js';

describe('the fan-out', () => {
  it('publishes a hundred changes at once, however much came of deliveries between them', async () => {
    const history = { endpointsOf: () => Promise.resolve(() => []) } as unknown as EndpointHistory;
    const fanOut = { fanOut: ({ id }: Recorded) => Promise.resolve([{ eventId: id }]) } as unknown as EventFanOut;
    const published: number[] = [];
    const topics = { publish: (pointers: readonly unknown[]) => Promise.resolve(void published.push(pointers.length)) };
    const reactor = new FanOutReactor(fanOut, history, topics as unknown as DeliveryTopics, new AttemptSteps());
    const at = (n: number, stream: string, event: Recorded['event']) => ({
      id: `${n}`,
      stream,
      revision: 0,
      position: `${n}`,
      event,
    });
    const log = Array.from({ length: 1_000 }, (_, n) =>
      n % 10 === 0 ? at(n, `appointment-apt_${n}`, booked) : at(n, 'deliveries-evt_1', claimed(100)),
    );
    await reactor.handle(log, new AbortController().signal);
    expect(published).toEqual([100]);
  });
});

describe('the pointer of a delivery', () => {
  let world: DeliveryWorld;
  afterEach(() => world.close());

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
