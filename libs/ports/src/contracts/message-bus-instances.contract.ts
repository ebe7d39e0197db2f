import { randomUUID } from 'node:crypto';
import type { BusMessage, MessageBus, Subscription } from '../message-bus.port.js';
import { eventually } from './eventually.js';
import type { InstanceCases } from './instance-cases.js';
import { accepted } from './consume-results.contract.js';

export interface TwoBuses {
  readonly one: MessageBus;
  readonly other: MessageBus;
  readonly patienceMs: number;
}

async function declared({ one, other }: TwoBuses): Promise<string> {
  const name = `notes.${randomUUID()}`;
  await one.declare([{ name, partitions: 4 }]);
  await other.declare([{ name, partitions: 4 }]);
  return name;
}

const freshGroup = (): string => `readers-${randomUUID()}`;

async function collect(bus: MessageBus, group: string, topic: string, into: BusMessage[]) {
  return bus.consume(group, [topic], (message) => {
    into.push(message);
    return Promise.resolve(accepted());
  });
}

async function whileOpen(members: readonly Subscription[], check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } finally {
    await Promise.all(members.map((member) => member.close()));
  }
}

const valuesOf = (messages: readonly BusMessage[]): string[] => messages.map(({ value }) => value);
const numbered = (count: number) => Array.from({ length: count }, (_, index) => ({ key: `key ${index}`, value: `${index}` }));

/** A moved partition may have delivered a message twice. */
function expectAll(seen: readonly BusMessage[], count: number): void {
  expect(new Set(valuesOf(seen))).toEqual(new Set(numbered(count).map(({ value }) => value)));
}

export const messageBusInstanceCases: InstanceCases<TwoBuses> = {
  'consumes what another publishes, before and after it came': async (pair) => {
    const { one, other, patienceMs } = pair;
    const topic = await declared(pair);
    await one.publish(topic, [{ key: 'k', value: 'a' }]);
    const seen: BusMessage[] = [];
    const subscription = await collect(other, freshGroup(), topic, seen);
    await one.publish(topic, [{ key: 'k', value: 'b' }]);
    await other.publish(topic, [{ key: 'k', value: 'c' }]);
    await whileOpen([subscription], () => eventually(() => expect(valuesOf(seen)).toEqual(['a', 'b', 'c']), patienceMs));
    expect(new Set(seen.map(({ partition, offset }) => `${partition} ${offset}`)).size).toBe(3);
  },

  'shares the messages of a group with another, so that each is consumed': async (pair) => {
    const { one, other, patienceMs } = pair;
    const [topic, group] = [await declared(pair), freshGroup()];
    const [left, right]: [BusMessage[], BusMessage[]] = [[], []];
    const members = [await collect(one, group, topic, left), await collect(other, group, topic, right)];
    let rounds = 0;
    // The rebalance of a group's partitions has no deadline.
    const untilBothHaveSome = async () => {
      await one.publish(topic, numbered(40));
      rounds += 1;
      expect(Math.min(left.length, right.length)).toBeGreaterThan(0);
    };
    await whileOpen(members, async () => {
      await eventually(untilBothHaveSome, patienceMs);
      await eventually(() => {
        expect(left.length + right.length).toBeGreaterThanOrEqual(40 * rounds);
        expectAll([...left, ...right], 40);
      }, patienceMs);
    });
  },

  'revokes the assignment of each partition that another gets, and of no other': async (pair) => {
    const { one, other, patienceMs } = pair;
    const [topic, group] = [await declared(pair), freshGroup()];
    const [left, right]: [BusMessage[], BusMessage[]] = [[], []];
    const partitionsOf = (messages: readonly BusMessage[]) =>
      [...new Set(messages.filter(({ assignment }) => !assignment.isRevoked).map(({ partition }) => partition))].toSorted();
    const staying = await collect(one, group, topic, left);
    await one.publish(topic, numbered(40));
    await eventually(() => expect(partitionsOf(left)).toEqual([0, 1, 2, 3]), patienceMs);
    const coming = await collect(other, group, topic, right);
    await whileOpen([staying, coming], async () => {
      await eventually(async () => {
        await one.publish(topic, numbered(40));
        expect(partitionsOf(right)).toHaveLength(2);
        expect([...partitionsOf(left), ...partitionsOf(right)].toSorted()).toEqual([0, 1, 2, 3]);
      }, patienceMs);
      await coming.close();
      expect(partitionsOf(right)).toEqual([]);
      await eventually(async () => {
        await one.publish(topic, numbered(40));
        expect(partitionsOf(left)).toEqual([0, 1, 2, 3]);
      }, patienceMs);
    });
  },

  'takes over the partitions of a member of another that left, from what was committed on': async (pair) => {
    const { one, other, patienceMs } = pair;
    const [topic, group] = [await declared(pair), freshGroup()];
    const [left, right]: [BusMessage[], BusMessage[]] = [[], []];
    const leaving = await collect(one, group, topic, left);
    await one.publish(topic, [{ key: 'k', value: 'first' }]);
    await eventually(() => expect(valuesOf(left)).toEqual(['first']), patienceMs);
    await leaving.close();
    const staying = await collect(other, group, topic, right);
    await one.publish(topic, numbered(16));
    await whileOpen([staying], () => eventually(() => expectAll(right, 16), patienceMs));
    expect(valuesOf(left)).toEqual(['first']);
  },

  'is offered what a member of another was holding when it left': async (pair) => {
    const { one, other, patienceMs } = pair;
    const [topic, group] = [await declared(pair), freshGroup()];
    const offers: string[] = [];
    const holding = await one.consume(group, [topic], ({ value }) => {
      offers.push(value);
      return Promise.resolve({ kind: 'held', until: Number.MAX_SAFE_INTEGER });
    });
    await other.publish(topic, [{ key: 'k', value: 'a' }]);
    await whileOpen([holding], () => eventually(() => expect(offers).toContain('a'), patienceMs));
    const seen: BusMessage[] = [];
    const next = await collect(other, group, topic, seen);
    await whileOpen([next], () => eventually(() => expect(valuesOf(seen)).toEqual(['a']), patienceMs));
  },
};
