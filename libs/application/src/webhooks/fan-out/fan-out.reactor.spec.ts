import { booked } from '@testing/appointment-events';
import { claimed, scheduled } from '@testing/delivery-events';
import { DeliveryWorld } from '@testing/delivery-world';
import { settle } from '@testing/fake-clock';
import { answered } from '@testing/fake-sender';
import type { Recorded } from '@ports/event-store.port';
import type { DeliveryPointer } from '../delivery-pointer.js';
import type { DeliveryTopics } from '../delivery-topics.js';
import type { EndpointHistory } from './endpoint-history.js';
import type { EventFanOut } from './event-fan-out.js';
import { FanOutReactor } from './fan-out.reactor.js';

const NEVER = new AbortController().signal;

describe('the fan-out', () => {
  it('has a partition for each project, and leaves out most events of deliveries', () => {
    const parts = [{}, {}, {}, {}] as unknown as ConstructorParameters<typeof FanOutReactor>;
    const reactor = new FanOutReactor(...parts);
    const partitionKey = (stream: string, event: Recorded['event']) =>
      reactor.partitionKey({ id: '1', stream, revision: 0, position: '1', event });
    expect(partitionKey('appointment-apt_1', booked)).toBe(booked.projectId);
    expect(partitionKey('deliveries-evt_1', claimed(100))).toBeNull();
    expect(partitionKey('deliveries-evt_1', scheduled())).toBeNull();
    expect(partitionKey('deliveries-evt_1', scheduled('whd_2', 'whd_1'))).toBe('prj_1');
  });

  describe('of one project', () => {
    const at = (id: number, stream: string, event: Recorded['event']) =>
      ({ id: `${id}`, stream, revision: 0, position: `${id}`, event }) as const;
    let endpoints: number;
    let published: unknown[][];
    let reactor: FanOutReactor;
    let topics: { publish: (pointers: unknown[]) => Promise<void> };

    beforeEach(() => {
      endpoints = 1;
      published = [];
      const history = { endpointsOf: () => Promise.resolve(() => ({ endpoints: Array.from({ length: endpoints }) })) };
      const fanOut = { fanOut: ({ id }: Recorded) => Promise.resolve([{ eventId: id }]) } as unknown as EventFanOut;
      topics = { publish: (pointers: unknown[]) => Promise.resolve(void published.push(pointers)) };
      const parts = [fanOut, history as unknown as EndpointHistory, topics as unknown as DeliveryTopics] as const;
      reactor = new FanOutReactor(...parts);
    });

    const changes = (count: number) => Array.from({ length: count }, (_, n) => at(n, `appointment-apt_${n}`, booked));

    it('publishes replays, and what a hundred and twenty-eight changes lead to at once', async () => {
      await reactor.handle([...changes(128), at(200, 'deliveries-evt_3', scheduled('whd_2', 'whd_1'))], NEVER);
      expect(published.map(({ length }) => length)).toEqual([1, 128]);
      expect(published[0]).toEqual([expect.objectContaining({ eventId: 'evt_3', deliveryId: 'whd_2' })]);
    });

    it('stores little at once where it goes to many endpoints, so that others’ writes come between', async () => {
      endpoints = 50;
      await reactor.handle(changes(13), NEVER);
      expect(published.map(({ length }) => length)).toEqual([6, 6, 1]);
      expect(published.flat()).toEqual(changes(13).map(({ id }) => ({ eventId: id })));
    });

    it('schedules each change for the endpoints of its own moment', async () => {
      const about: unknown[][] = [];
      const asOf = (position: string) => ({ endpoints: [], position });
      const history = { endpointsOf: (...asked: unknown[]) => Promise.resolve(void about.push(asked)).then(() => asOf) };
      const fanOut = { fanOut: ({ id }: Recorded, known: unknown) => Promise.resolve([[id, known]]) };
      const parts = [fanOut, history, topics] as unknown as ConstructorParameters<typeof FanOutReactor>;
      await new FanOutReactor(...parts).handle(changes(3), NEVER);
      expect(about).toEqual([[booked.projectId, '0']]);
      expect(published).toEqual([['0', '1', '2'].map((id) => [id, asOf(id)])]);
    });

    it('is done when what it published is there', async () => {
      let isThere = (): void => undefined;
      topics.publish = () => new Promise((resolve) => (isThere = resolve));
      let isDone = false;
      const handled = reactor.handle(changes(1), NEVER).then(() => (isDone = true));
      await settle();
      expect(isDone).toBe(false);
      isThere();
      await handled;
    });

    it('stops between two parts when the process is to end', async () => {
      endpoints = 300;
      const end = new AbortController();
      const handled = reactor.handle(changes(3), end.signal);
      end.abort();
      await expect(handled).rejects.toThrow('aborted');
      expect(published).toEqual([]);
    });
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
