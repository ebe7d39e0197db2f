import { eventually } from '@ports/contracts/eventually';
import { accepted } from '@ports/contracts/consume-results.contract';
import type { BusMessage, ConsumeResult } from '@ports/message-bus.port';
import { FakeClock } from '@testing/fake-clock';
import { collect, KafkaWorld, numbered, valuesOf } from '@testing/kafka-world';
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ENGINE_CONSTANTS } from '../engine-constants.js';
import type { KafkaMessageBus } from './message-bus.kafka.js';

const PARTITIONS = 6;
const OWNED_AGAIN_WITHIN_MS = 12_000;
const { sessionTimeoutMs: sessionTimeout, heartbeatIntervalMs: heartbeatInterval, rebalanceTimeoutMs } = ENGINE_CONSTANTS.kafka;

function load(world: KafkaWorld, topic: string) {
  const bus = world.bus();
  let [going, count] = [true, 0];
  const done = (async () => {
    await bus.declare([{ name: topic, partitions: PARTITIONS }]);
    for (; going; count += 20) {
      await bus.publish(topic, numbered(20, count));
      await sleep(20);
    }
    return count;
  })();
  return {
    stop(): Promise<number> {
      going = false;
      return done;
    },
  };
}

/** The first offer of each message, by partition, in order. */
function firstOffsets(messages: readonly BusMessage[]): readonly (readonly bigint[])[] {
  const byPartition = new Map<number, Set<bigint>>();
  for (const { partition, offset } of messages) {
    byPartition.set(partition, (byPartition.get(partition) ?? new Set()).add(BigInt(offset)));
  }
  return [...byPartition.values()].map((offsets) => [...offsets]);
}

const inOrder = (offsets: readonly bigint[]) => [...offsets].sort((a, b) => Number(a - b));

describe('a group whose members come and go', () => {
  const world = new KafkaWorld(process.env.KAFKA_BROKERS);
  afterAll(() => world.close());

  it('loses nothing, and each member is offered the messages of a partition in order', async () => {
    const [topic, group] = ['rebalanced', 'readers'];
    const loading = load(world, topic);
    const seen: [BusMessage[], BusMessage[], BusMessage[]] = [[], [], []];
    const [first, second, third] = [world.bus(), world.bus(), world.bus()];
    await first.declare([{ name: topic, partitions: PARTITIONS }]);
    const joined = async (bus: KafkaMessageBus, into: BusMessage[]) => {
      const subscription = await collect(bus, group, topic, into);
      await eventually(() => expect(into.length).toBeGreaterThan(0));
      await sleep(2_000);
      return subscription;
    };
    const staying = await joined(first, seen[0]);
    const leavingEarly = await joined(second, seen[1]);
    const leavingLate = await joined(third, seen[2]);
    await leavingEarly.close();
    await sleep(2_000);
    await leavingLate.close();
    await sleep(1_000);
    const count = await loading.stop();
    const wanted = new Set(numbered(count).map(({ value }) => value));
    await eventually(() => expect(new Set(seen.flatMap(valuesOf))).toEqual(wanted));
    await staying.close();
    for (const messages of seen) {
      for (const offsets of firstOffsets(messages)) expect(offsets).toEqual(inOrder(offsets));
    }
    expect(seen.flat().length - count).toBeLessThan(count * 0.05);
  });

  it('is offered what was held at its time, though its partition was with another member meanwhile', async () => {
    const [topic, group, clock] = ['held', 'holders', new FakeClock()];
    const until = clock.now() + 60_000;
    const [first, second] = [world.bus({ clock }), world.bus({ clock })];
    await first.declare([{ name: topic, partitions: PARTITIONS }]);
    await first.publish(topic, numbered(60));
    const hold = (bus: KafkaMessageBus, offers: BusMessage[]) =>
      bus.consume(group, [topic], (message) => {
        offers.push(message);
        return Promise.resolve<ConsumeResult>(clock.now() < until ? { kind: 'held', until } : accepted());
      });
    const partitionsOf = (offers: readonly BusMessage[]) =>
      new Set(offers.filter(({ assignment }) => !assignment.isRevoked).map(({ partition }) => partition)).size;
    const [offers, others]: [BusMessage[], BusMessage[]] = [[], []];
    const staying = await hold(first, offers);
    await eventually(() => expect(partitionsOf(offers)).toBe(PARTITIONS));
    const leaving = await hold(second, others);
    await eventually(() => expect(partitionsOf(others)).toBe(PARTITIONS / 2));
    // Emptied before, since the first member may be offered all of them before the second has closed.
    offers.length = 0;
    await leaving.close();
    await eventually(() => expect(partitionsOf(offers)).toBe(PARTITIONS));
    await clock.advance(60_000);
    await eventually(() => expect(new Set(valuesOf(offers))).toEqual(new Set(numbered(60).map(({ value }) => value))));
    await staying.close();
  });

  it('has the partitions of a process that was killed again within twelve seconds', async () => {
    const [topic, group] = ['widowed', 'widows'];
    const bus = world.bus();
    await bus.declare([{ name: topic, partitions: PARTITIONS }]);
    const options = { brokers: world.brokers, topic: `${world.prefix}${topic}`, groupId: `${world.prefix}${group}` };
    const times = { sessionTimeout, heartbeatInterval, rebalanceTimeout: rebalanceTimeoutMs, maxWaitTimeInMs: 250 };
    const killed = fork(join(__dirname, 'member.child.mjs'), [JSON.stringify({ ...options, ...times })], { execArgv: [] });
    const joins: number[][] = [];
    killed.on('message', ({ partitions }: { readonly partitions: number[] }) => void joins.push(partitions));
    await eventually(() => expect(joins.at(-1)).toHaveLength(PARTITIONS));
    const seen: BusMessage[] = [];
    const subscription = await collect(bus, group, topic, seen);
    await eventually(() => expect(joins.at(-1)).toHaveLength(PARTITIONS / 2));
    killed.kill('SIGKILL');
    const killedAt = performance.now();
    await bus.publish(topic, numbered(100));
    await eventually(() => expect(new Set(valuesOf(seen)).size).toBe(100), OWNED_AGAIN_WITHIN_MS * 2);
    expect(performance.now() - killedAt).toBeLessThan(OWNED_AGAIN_WITHIN_MS);
    await subscription.close();
  });
});
