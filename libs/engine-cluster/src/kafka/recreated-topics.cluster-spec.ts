import { eventually } from '@ports/contracts/eventually';
import type { BusMessage } from '@ports/message-bus.port';
import { collect, KafkaWorld, numbered, valuesOf } from '@testing/kafka-world';

const OLD = 30;

describe('a topic that is deleted and created again while it is consumed', () => {
  const world = new KafkaWorld(process.env.KAFKA_BROKERS);
  afterAll(() => world.close());

  it.each([
    ['shorter', 10],
    ['as long', OLD],
    ['longer', 50],
  ])('is consumed from its beginning where its new log is %s', async (name, count) => {
    const [bus, topic] = [world.bus(), `notes.${name.replace(' ', '-')}`];
    await bus.declare([{ name: topic, partitions: 1 }]);
    const seen: BusMessage[] = [];
    const subscription = await collect(bus, `readers.${topic}`, topic, seen);
    await bus.publish(topic, numbered(OLD));
    await eventually(() => expect(seen).toHaveLength(OLD));
    const admin = await world.admin();
    await eventually(async () => {
      const [stored] = await admin.fetchOffsets({
        groupId: `${world.prefix}readers.${topic}`,
        topics: [`${world.prefix}${topic}`],
      });
      expect(stored?.partitions[0]?.offset).toBe(String(OLD));
    });

    await admin.deleteTopics({ topics: [`${world.prefix}${topic}`] });
    await world.make(topic);
    await world.bus().publish(topic, numbered(count, 1000));
    const wanted = numbered(count, 1000).map(({ value }) => value);
    await eventually(() => expect(new Set(valuesOf(seen.slice(OLD)))).toEqual(new Set(wanted)));
    await subscription.close();
    const after: BusMessage[] = [];
    const again = await collect(bus, `readers.${topic}`, topic, after);
    await bus.publish(topic, numbered(1, 5000));
    await eventually(() => expect(valuesOf(after)).toEqual(['5000']));
    await again.close();
  });
});
