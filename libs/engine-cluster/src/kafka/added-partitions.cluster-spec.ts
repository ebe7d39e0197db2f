import { eventually } from '@ports/contracts/eventually';
import type { BusMessage } from '@ports/message-bus.port';
import { collect, KafkaWorld, numbered, valuesOf } from '@testing/kafka-world';

const PARTITIONS = 4;
const ADDED = 8;
const CONSUMED_WITHIN_MS = 15_000;

const partitionsOf = (messages: readonly BusMessage[]) => new Set(messages.map(({ partition }) => partition));

it("partitions that Kafka's tools add are consumed within fifteen seconds by the members that run", async () => {
  const world = new KafkaWorld(process.env.KAFKA_BROKERS);
  const members = [world.bus(), world.bus()].map((bus) => ({ bus, seen: new Array<BusMessage>() }));
  const all = () => members.flatMap(({ seen }) => seen);
  const sender = world.bus();
  await sender.declare([{ name: 'grown', partitions: PARTITIONS }]);
  for (const { bus, seen } of members) await collect(bus, 'readers', 'grown', seen);
  let count = 0;
  await eventually(async () => {
    members.forEach(({ seen }) => seen.splice(0));
    await sender.publish('grown', numbered(60, count));
    count += 60;
    await eventually(() => expect(all().length).toBeGreaterThanOrEqual(60), 2_000);
    expect(members.map(({ seen }) => partitionsOf(seen).size)).toEqual([PARTITIONS / 2, PARTITIONS / 2]);
  });
  const topicPartitions = [{ topic: `${world.prefix}grown`, count: PARTITIONS + ADDED }];
  await (await world.admin()).createPartitions({ topicPartitions });
  const from = performance.now();
  // A process started now uses all partitions.
  await world.bus().publish('grown', numbered(240, count));
  const wanted = numbered(240, count).map(({ value }) => value);
  await eventually(() => expect(valuesOf(all())).toEqual(expect.arrayContaining(wanted)));
  expect(performance.now() - from).toBeLessThan(CONSUMED_WITHIN_MS);
  expect(partitionsOf(all()).size).toBe(PARTITIONS + ADDED);
  await world.close();
});
