import type { FakeClock } from '@testing/fake-clock';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import type { BusMessage, MessageBus } from '../message-bus.port.js';
import { accepted, consumeResultsContract } from './consume-results.contract.js';
import { PATIENCE_MS, twoInstances } from './instance-cases.js';
import { messageBusInstanceCases } from './message-bus-instances.contract.js';
import { eventually } from './eventually.js';

export interface MessageBusUnderTest {
  readonly bus: MessageBus;
  readonly clock: FakeClock;
  /** A second instance over the same topics, as in another process. `close` closes it too. */
  another(): Promise<MessageBus>;
  /** Simulates a restart: the new instance knows only committed messages. */
  restart(): Promise<MessageBus>;
  close(): Promise<void>;
}

export function messageBusContract(name: string, make: () => Promise<MessageBusUnderTest>): void {
  describe(`${name} keeps the promises of MessageBus`, () => {
    let under: MessageBusUnderTest;
    let bus: MessageBus;
    let topic: string;
    let group: string;

    beforeAll(async () => {
      under = await make();
      bus = under.bus;
    });
    afterAll(() => under.close());
    beforeEach(async () => {
      topic = `notes.${randomUUID()}`;
      group = `readers-${randomUUID()}`;
      await bus.declare([{ name: topic, partitions: 4 }]);
    });

    const publish = (key: string, ...values: string[]) =>
      bus.publish(
        topic,
        values.map((value) => ({ key, value })),
      );

    async function collect(into: BusMessage[], members: MessageBus = bus, as = group) {
      return members.consume(as, [topic], (message) => {
        into.push(message);
        return Promise.resolve(accepted());
      });
    }
    const valuesOf = (messages: readonly BusMessage[]): string[] => messages.map(({ value }) => value);

    it('delivers what is published, with its topic, key, value, partition and offset', async () => {
      const seen: BusMessage[] = [];
      const subscription = await collect(seen);
      await publish('k', 'ä "\u2028 \ud83d\ude00');
      await eventually(() => expect(seen).toHaveLength(1));
      expect(seen[0]).toMatchObject({ topic, key: 'k', value: 'ä "\u2028 \ud83d\ude00' });
      expect(seen[0]?.partition).toBeLessThan(4);
      expect(seen[0]?.offset).toMatch(/^\d+$/);
      await subscription.close();
    });

    it("gives a partition's messages one assignment, which is revoked once the consumer is closed", async () => {
      const seen: BusMessage[] = [];
      const subscription = await collect(seen);
      await publish('k', 'a', 'b');
      await eventually(() => expect(seen).toHaveLength(2));
      const [one, other] = seen.map(({ assignment }) => assignment);
      expect([one === other, one?.isRevoked]).toEqual([true, false]);
      await subscription.close();
      expect(one?.isRevoked).toBe(true);
    });

    it('keeps the order of a key, whether published before or after the consumer came', async () => {
      await publish('k', 'a', 'b');
      const seen: BusMessage[] = [];
      const subscription = await collect(seen);
      await publish('k', 'c');
      await publish('k', 'd', 'e');
      await eventually(() => expect(valuesOf(seen)).toEqual(['a', 'b', 'c', 'd', 'e']));
      expect(new Set(seen.map(({ partition }) => partition)).size).toBe(1);
      await subscription.close();
    });

    it('spreads keys over partitions and keeps offsets growing in each', async () => {
      const seen: BusMessage[] = [];
      const subscription = await collect(seen);
      await Promise.all(Array.from({ length: 64 }, (_, index) => publish(`key ${index}`, String(index))));
      await eventually(() => expect(seen).toHaveLength(64));
      const partitions = new Map<number, number[]>();
      for (const { partition, offset } of seen) {
        partitions.set(partition, [...(partitions.get(partition) ?? []), Number(offset)]);
      }
      expect(partitions.size).toBeGreaterThan(1);
      for (const offsets of partitions.values()) expect(offsets).toEqual([...new Set(offsets)].sort((a, b) => a - b));
      await subscription.close();
    });

    it('declares a topic once: it keeps its partitions and messages', async () => {
      await publish('k', 'a');
      await bus.declare([{ name: topic, partitions: 1 }]);
      const seen: BusMessage[] = [];
      const subscription = await collect(seen);
      await Promise.all(Array.from({ length: 64 }, (_, index) => publish(`key ${index}`, 'x')));
      await eventually(() => expect(seen).toHaveLength(65));
      expect(new Set(seen.map(({ partition }) => partition)).size).toBeGreaterThan(1);
      await subscription.close();
    });

    it('takes an empty batch, and refuses topics nobody declared', async () => {
      await bus.publish(topic, []);
      await expect(bus.publish(`${topic}.unknown`, [{ key: 'k', value: 'v' }])).rejects.toThrow();
      await expect(bus.consume(group, [`${topic}.unknown`], () => Promise.resolve(accepted()))).rejects.toThrow();
    });

    it('offers each message to every group', async () => {
      const [left, right]: [BusMessage[], BusMessage[]] = [[], []];
      const first = await collect(left);
      const second = await collect(right, bus, `${group}-other`);
      await publish('k', 'a', 'b');
      await eventually(() =>
        expect([valuesOf(left), valuesOf(right)]).toEqual([
          ['a', 'b'],
          ['a', 'b'],
        ]),
      );
      await Promise.all([first.close(), second.close()]);
    });

    it('offers each message to one member of a group', async () => {
      const [left, right]: [BusMessage[], BusMessage[]] = [[], []];
      const members = [await collect(left), await collect(right)];
      await Promise.all(Array.from({ length: 40 }, (_, index) => publish(`key ${index}`, String(index))));
      await eventually(() => expect(new Set(valuesOf([...left, ...right])).size).toBe(40));
      await Promise.all(members.map((member) => member.close()));
    });

    it('gives the partitions of a member that left to the others', async () => {
      const [left, right]: [BusMessage[], BusMessage[]] = [[], []];
      const leaving = await collect(left);
      const staying = await collect(right);
      await leaving.close();
      await Promise.all(Array.from({ length: 16 }, (_, index) => publish(`key ${index}`, String(index))));
      await eventually(() => expect(right).toHaveLength(16));
      expect(left).toEqual([]);
      await staying.close();
    });

    consumeResultsContract(() => ({ bus, clock: under.clock, topic, group }));
    twoInstances(messageBusInstanceCases, async () => ({ one: bus, other: await under.another(), patienceMs: PATIENCE_MS }));

    it('delivers a backlog far larger than it reads at once', async () => {
      const values = Array.from({ length: 1500 }, (_, index) => String(index));
      await publish('k', ...values);
      const seen: BusMessage[] = [];
      const subscription = await collect(seen);
      await publish('k', 'last');
      await eventually(() => expect(valuesOf(seen)).toEqual([...values, 'last']));
      await subscription.close();
    });

    it('law: per key, every message arrives in order, however batches and keys are mixed', async () => {
      const batches = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 1, max: 5 })), { maxLength: 10 });
      await fc.assert(
        fc.asyncProperty(batches, fc.integer({ min: 0, max: 10 }), async (published, joinAt) => {
          const own = `notes.${randomUUID()}`;
          await bus.declare([{ name: own, partitions: 2 }]);
          const [expected, seen] = [new Map<string, string[]>(), new Map<string, string[]>()];
          const note = (map: Map<string, string[]>, key: string, value: string) => map.set(key, [...(map.get(key) ?? []), value]);
          const join = () =>
            bus.consume(group, [own], ({ key, value }) => {
              note(seen, key, value);
              return Promise.resolve(accepted());
            });
          let subscription = joinAt === 0 ? await join() : undefined;
          for (const [index, [key, count]] of published.entries()) {
            const values = Array.from({ length: count }, (_, each) => `${index}.${each}`);
            for (const value of values) note(expected, key, value);
            await bus.publish(
              own,
              values.map((value) => ({ key, value })),
            );
            if (index + 1 === joinAt) subscription = await join();
          }
          subscription ??= await join();
          await eventually(() => expect([...seen].sort()).toEqual([...expected].sort()));
          await subscription.close();
        }),
        { numRuns: 20 },
      );
    });

    describe('after a restart', () => {
      it('goes on from the oldest uncommitted message', async () => {
        const first: BusMessage[] = [];
        const stuck = new Promise<void>(() => undefined);
        await bus.consume(group, [topic], (message) => {
          first.push(message);
          return Promise.resolve({ kind: 'accepted', done: message.value === 'c' ? stuck : Promise.resolve() });
        });
        await publish('k', 'a', 'b', 'c', 'd');
        await eventually(() => expect(valuesOf(first)).toEqual(['a', 'b', 'c', 'd']));
        await under.clock.advance(5000);
        bus = await under.restart();
        const second: BusMessage[] = [];
        const subscription = await collect(second, bus);
        await eventually(() => expect(valuesOf(second).slice(-2)).toEqual(['c', 'd']));
        await subscription.close();
      });

      /** Closes the consumer before the bus restarts. */
      async function consumeBeforeRestart(...values: readonly string[]): Promise<readonly BusMessage[]> {
        const consumed: BusMessage[] = [];
        const subscription = await collect(consumed);
        await publish('k', ...values);
        await eventually(() => expect(valuesOf(consumed)).toEqual(values));
        await subscription.close();
        bus = await under.restart();
        return consumed;
      }

      it('still has for a group what only another has consumed', async () => {
        const slow = `slow-${randomUUID()}`;
        const stuck = new Promise<void>(() => undefined);
        await bus.consume(slow, [topic], () => Promise.resolve({ kind: 'accepted', done: stuck }));
        await consumeBeforeRestart('a', 'b');
        const late: BusMessage[] = [];
        const again = await collect(late, bus, slow);
        await eventually(() => expect(valuesOf(late)).toEqual(['a', 'b']));
        await again.close();
      });

      it('offers a group nothing again that it has consumed and another has not', async () => {
        const slow = `slow-${randomUUID()}`;
        await bus.consume(slow, [topic], () => Promise.resolve({ kind: 'accepted', done: new Promise(() => undefined) }));
        await consumeBeforeRestart('a', 'b');
        const second: BusMessage[] = [];
        const again = await collect(second, bus);
        await publish('k', 'c');
        await eventually(() => expect(valuesOf(second)).toContain('c'));
        expect(valuesOf(second)).toEqual(['c']);
        await again.close();
      });

      it('offers nothing again that was done, well or not', async () => {
        const first: BusMessage[] = [];
        const subscription = await bus.consume(group, [topic], (message) => {
          first.push(message);
          const done = message.value === 'bad' ? Promise.reject(new Error('bad')) : Promise.resolve();
          return Promise.resolve({ kind: 'accepted', done });
        });
        await publish('k', 'good', 'bad', 'good');
        await eventually(() => expect(valuesOf(first)).toEqual(['good', 'bad', 'good']));
        await subscription.close();
        bus = await under.restart();
        const second: BusMessage[] = [];
        const again = await collect(second, bus);
        await publish('k', 'new');
        await eventually(() => expect(valuesOf(second)).toContain('new'));
        expect(valuesOf(second)).toEqual(['new']);
        await again.close();
      });

      it('still has what was held when those before it were consumed', async () => {
        const until = under.clock.now() + 3_600_000;
        const offers: string[] = [];
        const subscription = await bus.consume(group, [topic], ({ value }) => {
          offers.push(value);
          return Promise.resolve(value === 'c' ? { kind: 'held', until } : accepted());
        });
        await publish('k', 'a', 'b', 'c', 'd');
        await eventually(() => expect(offers).toEqual(['a', 'b', 'c']));
        await subscription.close();
        bus = await under.restart();
        const second: BusMessage[] = [];
        const again = await collect(second, bus);
        await eventually(() => expect(valuesOf(second)).toEqual(['c', 'd']));
        await again.close();
      });

      it('offers nothing again that was committed by closing, and gives no offset twice', async () => {
        const first = await consumeBeforeRestart('a', 'b');
        const second: BusMessage[] = [];
        const again = await collect(second, bus);
        await publish('k', 'c');
        await eventually(() => expect(valuesOf(second)).toEqual(['c']));
        expect(Number(second[0]?.offset)).toBeGreaterThan(Number(first[1]?.offset));
        await again.close();
      });
    });
  });
}
