import { eventually } from '@ports/contracts/eventually';
import { KafkaWorld } from '@testing/kafka-world';
import type { Consumer, ConsumerCrashEvent, EachBatchPayload } from 'kafkajs';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const QUICK = { initialRetryTime: 20, retries: 5, maxRetryTime: 50 };

/** The behaviour of driver and brokers that this engine relies on. */
describe('the driver', () => {
  const world = new KafkaWorld(process.env.KAFKA_BROKERS);
  const consumers: Consumer[] = [];
  let topic: string;
  let groupId: string;

  beforeEach(async () => {
    const name = randomUUID();
    [topic, groupId] = [`${world.prefix}${name}`, `${world.prefix}${randomUUID()}`];
    await world.make(name, 2);
    // The first group of a new broker has no coordinator for seconds, longer than these consumers search.
    await eventually(async () => void (await stored()));
  });
  afterEach(async () => {
    await Promise.all(consumers.splice(0).map((consumer) => consumer.disconnect()));
  });
  afterAll(() => world.close());

  async function publish(...values: string[]): Promise<void> {
    const producer = world.driver().producer();
    await producer.connect();
    await producer.send({ topic, messages: values.map((value) => ({ value, partition: 0 })) });
    await producer.disconnect();
  }

  async function run(eachBatch: (payload: EachBatchPayload) => Promise<void>): Promise<Consumer> {
    const retry = { ...QUICK, restartOnFailure: () => Promise.resolve(false) };
    const consumer = world.driver().consumer({ groupId, maxWaitTimeInMs: 100, heartbeatInterval: 100, retry });
    consumers.push(consumer);
    await consumer.connect();
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
    await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch });
    return consumer;
  }

  async function stored(): Promise<string | undefined> {
    const [found] = await (await world.admin()).fetchOffsets({ groupId, topics: [topic] });
    return found?.partitions.find(({ partition }) => partition === 0)?.offset;
  }

  it('fetches what was paused and left unresolved again after the resume, and has stored nothing of it', async () => {
    const firsts: string[] = [];
    const consumer = await run(({ batch, pause }) => {
      firsts.push(batch.firstOffset() ?? '');
      pause();
      return Promise.resolve();
    });
    await publish('a', 'b');
    await eventually(() => expect(firsts).toEqual(['0']));
    consumer.resume([{ topic, partitions: [0] }]);
    await eventually(() => expect(firsts).toEqual(['0', '0']));
    expect(await stored()).toBe('-1');
  });

  it.each([
    ['after six errors, though every retry went well', new Error('each other time'), 6],
    ['at once after an error of the language', new TypeError('of the language'), 1],
  ])('ends a consumer %s, and does not start it again', async (_, failure, count) => {
    let [calls, failures] = [0, 0];
    const crashes: ConsumerCrashEvent['payload'][] = [];
    const consumer = await run(({ batch, resolveOffset }) => {
      calls += 1;
      if (calls % 2 === 1) {
        failures += 1;
        return Promise.reject(failure);
      }
      resolveOffset(batch.messages[0]?.offset ?? '');
      return Promise.resolve();
    });
    consumer.on(consumer.events.CRASH, ({ payload }) => void crashes.push(payload));
    await publish(...Array.from({ length: 20 }, String));
    await eventually(() => expect(crashes).toHaveLength(1));
    expect(failures).toBe(count);
    expect(crashes[0]?.restart).toBe(false);
    const callsBefore = calls;
    await sleep(500);
    expect(calls).toBe(callsBefore);
  });

  it('keeps a partition paused that another member had meanwhile', async () => {
    const idle = () => Promise.resolve();
    const first = await run(idle);
    const joins: number[][] = [];
    first.on(first.events.GROUP_JOIN, ({ payload }) => void joins.push(payload.memberAssignment[topic] ?? []));
    first.pause([{ topic, partitions: [0, 1] }]);
    const second = await run(idle);
    await eventually(() => expect(joins.at(-1)).toHaveLength(1));
    await second.disconnect();
    await eventually(() => expect(joins.at(-1)).toHaveLength(2));
    expect(first.paused()).toEqual([{ topic, partitions: [0, 1] }]);
  });

  it('finds no offset of a group any more for a topic that was deleted and created again', async () => {
    await publish(...'abcdefgh');
    const consumer = await run(() => Promise.resolve());
    await eventually(() => consumer.commitOffsets([{ topic, partition: 0, offset: '7' }]));
    await eventually(async () => expect(await stored()).toBe('7'));
    await (await world.admin()).deleteTopics({ topics: [topic] });
    await world.make(topic.slice(world.prefix.length), 2);
    // -1, or -2 if the driver has noticed that its position is beyond the new log.
    await eventually(async () => expect(Number(await stored())).toBeLessThan(0), 5_000);
  });
});
