import { SystemClock } from '@adapters/clock.system';
import { eventually } from '@ports/contracts/eventually';
import { KafkaWorld } from '@testing/kafka-world';
import { openKafka } from './open-kafka.js';

describe('the message bus on Kafka', () => {
  const world = new KafkaWorld(process.env.KAFKA_BROKERS);
  afterAll(() => world.close());

  it('has as many partitions of each topic as it was given, and tells that the brokers answer', async () => {
    const settings = { kafkaBrokers: world.brokers, replicationFactor: 1, prefix: world.prefix };
    const kafka = openKafka(settings, new SystemClock(), { log: { warn: () => undefined }, partitions: 3 });
    expect(kafka.bus.partitions).toEqual({ held: 3, other: 3 });
    await eventually(() => expect(kafka.health()).toEqual({ isAnswering: true, stalled: [], topics: [] }));
    await kafka.close();
  });
});
