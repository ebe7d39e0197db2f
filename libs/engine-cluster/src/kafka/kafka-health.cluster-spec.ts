import { eventually } from '@ports/contracts/eventually';
import { accepted } from '@ports/contracts/consume-results.contract';
import type { BusMessage } from '@ports/message-bus.port';
import { collect, KafkaWorld, numbered, OwnKafka } from '@testing/kafka-world';

const STALLED_AFTER_MS = 6_000;

describe('the health of consumers', () => {
  const world = new KafkaWorld(process.env.KAFKA_BROKERS);
  afterAll(() => world.close());

  it('shows a stalled one until another has taken its place and gets on', async () => {
    const ended: string[] = [];
    const bus = world.bus({ stalledAfterMs: STALLED_AFTER_MS, onStalled: (topics) => void ended.push(...topics) });
    await bus.declare([{ name: 'stuck', partitions: 1 }]);
    let offers = 0;
    const subscription = await bus.consume('readers', ['stuck'], () => {
      offers += 1;
      return offers === 1 ? new Promise(() => undefined) : Promise.resolve(accepted());
    });
    await bus.publish('stuck', numbered(1));
    await eventually(() => expect(bus.status.stalled).toEqual(['stuck']));
    await eventually(() => expect(offers).toBe(2));
    await eventually(() => expect(bus.status.stalled).toEqual([]));
    await eventually(() => expect(world.log.join('\n')).toContain('the consumer of stuck is stalled'));
    expect(ended).toEqual([]);
    void subscription.close();
  });

  it('shows one that a damaged message ends again and again, and gives up once another member did no better', async () => {
    const own = await OwnKafka.start();
    const damaged = own.world();
    const ended: string[] = [];
    const bus = damaged.bus({ stalledAfterMs: STALLED_AFTER_MS, onStalled: (topics) => void ended.push(...topics) });
    await bus.declare([{ name: 'damaged', partitions: 1 }]);
    await bus.publish('damaged', numbered(1));
    own.damageFirstMessage(`${damaged.prefix}damaged`);
    const seen: BusMessage[] = [];
    await collect(bus, 'readers', 'damaged', seen);
    await eventually(() => expect(bus.status.stalled).toEqual(['damaged']));
    expect(ended).toEqual([]);
    await eventually(() => expect(ended).toEqual(['damaged']));
    expect([bus.status.stalled, seen]).toEqual([['damaged'], []]);
    await damaged.close();
    await own.close();
  });

  it('counts what a group has not consumed, and takes no held message for a stall', async () => {
    const stalled: string[] = [];
    const bus = world.bus({ stalledAfterMs: STALLED_AFTER_MS, onStalled: (topics) => void stalled.push(...topics) });
    await bus.declare([{ name: 'held', partitions: 4 }]);
    const until = Date.now() + 3_600_000;
    const subscription = await bus.consume('readers', ['held'], ({ value }) =>
      Promise.resolve(Number(value) % 2 === 0 ? accepted() : { kind: 'held', until }),
    );
    await bus.publish('held', numbered(1));
    await eventually(() =>
      expect(bus.status).toEqual({ isAnswering: true, stalled: [], topics: [{ topic: 'held', behind: 0 }] }),
    );
    await bus.publish(
      'held',
      [1, 3, 5].map((number) => ({ key: 'same', value: String(number) })),
    );
    await eventually(() => expect(bus.status.topics).toEqual([{ topic: 'held', behind: 3 }]));
    await new Promise((resolve) => setTimeout(resolve, 2 * STALLED_AFTER_MS));
    expect(stalled).toEqual([]);
    await subscription.close();
    expect(bus.status.topics).toEqual([]);
  });
});
