import { eventually } from '@ports/contracts/eventually';
import type { BusMessage } from '@ports/message-bus.port';
import { collect, KafkaWorld, numbered, valuesOf } from '@testing/kafka-world';
import { ConfigResourceTypes } from 'kafkajs';

const DAY_MS = 86_400_000;

describe('declaring topics', () => {
  const world = new KafkaWorld(process.env.KAFKA_BROKERS);
  afterAll(() => world.close());

  async function partitionsOf(topic: string): Promise<number | undefined> {
    const { topics } = await (await world.admin()).fetchTopicMetadata({ topics: [`${world.prefix}${topic}`] });
    return topics[0]?.partitions.length;
  }

  async function settingsOf(topic: string): Promise<Readonly<Record<string, string>>> {
    const resources = [{ type: ConfigResourceTypes.TOPIC, name: `${world.prefix}${topic}` }];
    const answer = await (await world.admin()).describeConfigs({ resources, includeSynonyms: false });
    const entries = answer.resources.flatMap(({ configEntries }) => configEntries);
    return Object.fromEntries(entries.map(({ configName, configValue }) => [configName, configValue]));
  }

  it('creates them to keep every message two weeks beyond its wait, and to age by the clocks of the brokers', async () => {
    await world.bus().declare([{ name: 'tier', partitions: 3, waitMs: DAY_MS }]);
    expect(await partitionsOf('tier')).toBe(3);
    expect(await settingsOf('tier')).toMatchObject({
      'cleanup.policy': 'delete',
      'retention.ms': String(15 * DAY_MS),
      'retention.bytes': '-1',
      'message.timestamp.type': 'LogAppendTime',
      'compression.type': 'producer',
      'min.insync.replicas': '1',
      'unclean.leader.election.enable': 'false',
    });
  });

  it('by several processes at once creates each once', async () => {
    const topics = Array.from({ length: 5 }, (_, index) => ({ name: `raced.${index}`, partitions: 2 }));
    await Promise.all(Array.from({ length: 4 }, () => world.bus().declare(topics)));
    expect(await Promise.all(topics.map(({ name }) => partitionsOf(name)))).toEqual([2, 2, 2, 2, 2]);
  });

  it('with more partitions adds those that are missing, and keeps the messages', async () => {
    const bus = world.bus();
    await bus.declare([{ name: 'grown', partitions: 2 }]);
    await bus.publish('grown', numbered(20));
    const later = world.bus();
    await later.declare([{ name: 'grown', partitions: 6 }]);
    expect(await partitionsOf('grown')).toBe(6);
    await later.publish('grown', numbered(60, 20));
    const seen: BusMessage[] = [];
    const subscription = await collect(later, 'readers', 'grown', seen);
    await eventually(() => expect(new Set(valuesOf(seen))).toEqual(new Set(numbered(80).map(({ value }) => value))));
    expect(new Set(seen.map(({ partition }) => partition)).size).toBeGreaterThan(2);
    await subscription.close();
  });

  it.each([
    ['7 days and no wait', { 'retention.ms': String(7 * DAY_MS) }, 0],
    ['8 days and a wait of one', { 'retention.ms': String(8 * DAY_MS) }, DAY_MS],
    ['no bound', { 'retention.ms': '-1' }, DAY_MS],
  ])('accepts one that was made to keep its messages for %s', async (name, settings, waitMs) => {
    const topic = `accepted.${name.replaceAll(' ', '-')}`;
    await world.make(topic, 1, settings);
    await world.bus().declare([{ name: topic, partitions: 1, waitMs }]);
  });

  it.each([
    [
      'drops messages too early',
      { 'retention.ms': String(7 * DAY_MS) },
      `retention.ms is ${7 * DAY_MS}, and must be at least ${8 * DAY_MS}`,
    ],
    ['keeps only the last message of a key', { 'cleanup.policy': 'compact' }, 'cleanup.policy is compact, and must be delete'],
  ])('refuses one that %s', async (name, settings, reason) => {
    const topic = `refused.${name.replaceAll(' ', '-')}`;
    await world.make(topic, 1, settings);
    const declared = world.bus().declare([{ name: topic, partitions: 1, waitMs: DAY_MS }]);
    await expect(declared).rejects.toThrow(`topic ${world.prefix}${topic}: ${reason}`);
  });

  it('tells what the brokers refuse', async () => {
    const declared = world.bus({ replicationFactor: 30 }).declare([{ name: 'scarce', partitions: 1 }]);
    await expect(declared).rejects.toThrow(`cannot create ${world.prefix}scarce: INVALID_REPLICATION_FACTOR`);
  });
});
