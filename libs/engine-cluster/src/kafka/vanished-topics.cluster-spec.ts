import { eventually } from '@ports/contracts/eventually';
import type { BusMessage } from '@ports/message-bus.port';
import { collect, type KafkaWorld, numbered, OwnKafka, valuesOf } from '@testing/kafka-world';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

const TOPICS = ['first', 'tier'].map((name) => ({ name, partitions: 3, waitMs: 60_000 }));
const BACK_WITHIN_MS = 15_000;

describe('topics that vanish while processes run', () => {
  let own: OwnKafka;
  let world: KafkaWorld;

  beforeAll(async () => {
    own = await OwnKafka.start();
    world = own.world();
  });
  afterAll(async () => {
    await world.close();
    await own.close();
  });

  async function deleteTopics(): Promise<void> {
    await (await world.admin()).deleteTopics({ topics: TOPICS.map(({ name }) => `${world.prefix}${name}`) });
  }

  async function publisherAndConsumer(group: string) {
    const [publisher, consumer] = [world.bus(), world.bus()];
    await Promise.all([publisher, consumer].map((bus) => bus.declare(TOPICS)));
    const seen: BusMessage[] = [];
    for (const { name } of TOPICS) await collect(consumer, `${group}.${name}`, name, seen);
    for (const { name } of TOPICS) await publisher.publish(name, numbered(5));
    await eventually(() => expect(seen.length).toBeGreaterThanOrEqual(10));
    await eventually(() => expect(consumer.status.isAnswering).toBe(true));
    return { publisher, consumer, seen };
  }

  it.each<[string, () => Promise<void>]>([
    ['are deleted', deleteTopics],
    [
      'are gone because the broker is back with an empty folder',
      async () => {
        await own.broker.kill();
        rmSync(join(own.broker.directory, 'data'), { recursive: true });
        await own.broker.restart();
      },
    ],
  ])('%s are made again with their settings, and used, within fifteen seconds', async (group, vanish) => {
    const { publisher, consumer, seen } = await publisherAndConsumer(group);
    await vanish();
    const from = performance.now();
    for (const { name } of TOPICS) await eventually(() => publisher.publish(name, [{ key: 'k', value: `again in ${name}` }]));
    await eventually(() => expect(valuesOf(seen)).toEqual(expect.arrayContaining(['again in first', 'again in tier'])));
    expect(performance.now() - from).toBeLessThan(BACK_WITHIN_MS);
    await eventually(() => expect([publisher, consumer].map(({ status }) => status.isAnswering)).toEqual([true, true]));
    const { topics } = await (await world.admin()).fetchTopicMetadata({ topics: [`${world.prefix}first`] });
    expect(topics[0]?.partitions).toHaveLength(3);
    await eventually(() => expect(world.log.join('\n')).toContain('topics have vanished and are recreated'));
  });
});
