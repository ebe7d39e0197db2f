import { SystemClock } from '@adapters/clock.system';
import { eventually } from '@ports/contracts/eventually';
import { KafkaWorld } from '@testing/kafka-world';
import { openKafka } from './open-kafka.js';

describe('the message bus on Kafka', () => {
  const world = new KafkaWorld(process.env.KAFKA_BROKERS);
  afterAll(() => world.close());

  it.each([
    [1, 1],
    [2, 1],
    [3, 0],
  ])('with %i replicas for each topic warns so many times: %i', async (replicationFactor, warnings) => {
    const lines: string[] = [];
    const settings = { kafkaBrokers: world.brokers, replicationFactor, prefix: world.prefix };
    const kafka = openKafka(settings, new SystemClock(), {
      log: { warn: (line: string) => void lines.push(line) },
      partitions: 3,
    });
    expect(kafka.bus.partitions).toEqual({ held: 3, other: 3 });
    await eventually(() => expect(kafka.health()).toEqual({ isAnswering: true, topics: [] }));
    await kafka.close();
    expect(lines.filter((line) => line.includes('replicas'))).toHaveLength(warnings);
  });
});
