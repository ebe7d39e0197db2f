import { booked } from '@testing/appointment-events';
import { claimed, scheduled } from '@testing/delivery-events';
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
  it('has a lane for each project, and nothing to do with most of what comes of deliveries', () => {
    const parts = [{}, {}, {}, {}] as unknown as ConstructorParameters<typeof FanOutReactor>;
    const reactor = new FanOutReactor(...parts);
    const laneOf = (stream: string, event: Recorded['event']) =>
      reactor.laneOf({ id: '1', stream, revision: 0, position: '1', event });
    expect(laneOf('appointment-apt_1', booked)).toBe(booked.projectId);
    expect(laneOf('deliveries-evt_1', claimed(100))).toBeNull();
    expect(laneOf('deliveries-evt_1', scheduled())).toBeNull();
    expect(laneOf('deliveries-evt_1', scheduled('whd_2', 'whd_1'))).toBe('prj_1');
  });

  it('publishes everything of a batch at once', async () => {
    const history = { endpointsOf: () => Promise.resolve(() => []) } as unknown as EndpointHistory;
    const fanOut = { fanOut: ({ id }: Recorded) => Promise.resolve([{ eventId: id }]) } as unknown as EventFanOut;
    const publish = jest.fn(() => Promise.resolve());
    const reactor = new FanOutReactor(fanOut, history, { publish } as unknown as DeliveryTopics, new AttemptSteps());
    const at = (id: string, stream: string, event: Recorded['event']) => ({ id, stream, revision: 0, position: id, event });
    const changes = [at('1', 'appointment-apt_1', booked), at('2', 'appointment-apt_2', booked)];
    await reactor.handle([...changes, at('3', 'deliveries-evt_3', scheduled('whd_2', 'whd_1'))]);
    const replay = expect.objectContaining({ eventId: 'evt_3', deliveryId: 'whd_2' }) as unknown;
    expect(publish.mock.calls).toEqual([[[{ eventId: '1' }, { eventId: '2' }, replay]]]);
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
