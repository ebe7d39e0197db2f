import { eventually } from '@ports/contracts/eventually';
import type { BusMessage } from '@ports/message-bus.port';
import { collect, KafkaWorld, numbered, valuesOf } from '@testing/kafka-world';

const LONG = 'ä long message '.repeat(20_000);

describe('a topic on which the brokers compress messages', () => {
  const world = new KafkaWorld(process.env.KAFKA_BROKERS);
  afterAll(() => world.close());

  it.each(['gzip', 'snappy', 'lz4', 'zstd'])('with %s is consumed as any other', async (codec) => {
    const topic = `compressed.${codec}`;
    await world.make(topic, 1, { 'compression.type': codec, 'retention.ms': '-1' });
    const bus = world.bus();
    await bus.declare([{ name: topic, partitions: 1 }]);
    const messages = [...numbered(20), { key: 'long', value: LONG }, ...numbered(20, 20)];
    await bus.publish(topic, messages);
    const seen: BusMessage[] = [];
    const subscription = await collect(bus, `readers.${topic}`, topic, seen);
    await eventually(() => expect(seen).toHaveLength(messages.length));
    expect(valuesOf(seen).join() === messages.map(({ value }) => value).join()).toBe(true);
    await subscription.close();
  });
});
