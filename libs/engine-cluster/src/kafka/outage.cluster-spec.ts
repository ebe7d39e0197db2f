import { StoreUnavailable } from '@ports/event-store.port';
import { eventually } from '@ports/contracts/eventually';
import type { BusMessage } from '@ports/message-bus.port';
import { collect, type KafkaWorld, OwnKafka, valuesOf } from '@testing/kafka-world';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

const TOPIC = 'notes';
const BACK_WITHIN_MS = 15_000;
const SETTLES_WITHIN_MS = 5_500;

function expectAll(values: readonly string[], seen: readonly BusMessage[]): void {
  const consumed = new Set(valuesOf(seen));
  expect(values.filter((value) => !consumed.has(value))).toEqual([]);
}

describe('an outage of the brokers', () => {
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

  function load() {
    const bus = world.bus();
    const [acknowledged, slowest]: [string[], number[]] = [[], [0]];
    let going = true;
    const done = (async () => {
      await bus.declare([{ name: TOPIC, partitions: 4 }]);
      while (going) {
        const [value, from] = [randomUUID(), performance.now()];
        await bus.publish(TOPIC, [{ key: value, value }]).then(
          () => acknowledged.push(value),
          () => sleep(20),
        );
        slowest[0] = Math.max(slowest[0] ?? 0, performance.now() - from);
      }
      return { acknowledged, slowestMs: slowest[0] ?? 0 };
    })();
    return {
      acknowledged,
      stop() {
        going = false;
        return done;
      },
    };
  }

  async function consuming(group: string) {
    const bus = world.bus();
    await bus.declare([{ name: TOPIC, partitions: 4 }]);
    const seen: BusMessage[] = [];
    return { seen, subscription: await collect(bus, group, TOPIC, seen) };
  }

  it('that ends by a restart loses nothing that was acknowledged, and is over fifteen seconds later', async () => {
    const { seen, subscription } = await consuming('restarted');
    const loading = load();
    await eventually(() => expect(seen.length).toBeGreaterThan(50));
    await own.broker.kill();
    await sleep(4_000);
    await own.broker.restart();
    const [readyAt, before] = [performance.now(), loading.acknowledged.length];
    await eventually(() => {
      expect(loading.acknowledged.length).toBeGreaterThan(before);
      expect(valuesOf(seen)).toContain(loading.acknowledged[before]);
    });
    expect(performance.now() - readyAt).toBeLessThan(BACK_WITHIN_MS);
    const { acknowledged, slowestMs } = await loading.stop();
    expect(slowestMs).toBeLessThan(SETTLES_WITHIN_MS);
    await eventually(() => expectAll(acknowledged, seen));
    await subscription.close();
  });

  it('in which connections stay open and silent settles every publish within five seconds', async () => {
    const { seen, subscription } = await consuming('silenced');
    const loading = load();
    await eventually(() => expect(loading.acknowledged.length).toBeGreaterThan(50));
    own.proxy.mode = 'hold';
    await sleep(12_000);
    own.proxy.mode = 'pass';
    const [healedAt, before] = [performance.now(), loading.acknowledged.length];
    await eventually(() => expect(valuesOf(seen)).toContain(loading.acknowledged[before] ?? 'none'));
    expect(performance.now() - healedAt).toBeLessThan(BACK_WITHIN_MS);
    const { acknowledged, slowestMs } = await loading.stop();
    expect(slowestMs).toBeLessThan(SETTLES_WITHIN_MS);
    await eventually(() => expectAll(acknowledged, seen));
    await subscription.close();
  });

  it('at the start of a process fails publishing, and is waited for by consumers', async () => {
    await own.broker.kill();
    const { seen, subscription } = await consuming('early');
    const bus = world.bus();
    await bus.declare([{ name: TOPIC, partitions: 4 }]);
    const from = performance.now();
    await expect(bus.publish(TOPIC, [{ key: 'k', value: 'too early' }])).rejects.toBeInstanceOf(StoreUnavailable);
    expect(performance.now() - from).toBeLessThan(SETTLES_WITHIN_MS);
    expect(bus.status.isAnswering).toBe(false);
    await own.broker.restart();
    await eventually(() => bus.publish(TOPIC, [{ key: 'k', value: 'in time' }]));
    await eventually(() => expect(valuesOf(seen)).toContain('in time'), BACK_WITHIN_MS);
    await eventually(() => expect(bus.status.isAnswering).toBe(true));
    await subscription.close();
  });

  it('is told when it begins and when it ends, in one line each for each process', async () => {
    const quiet = own.world();
    const bus = quiet.bus();
    const names = ['one', 'two', 'three'];
    await bus.declare(names.map((name) => ({ name, partitions: 2 })));
    for (const name of names) await collect(bus, `readers.${name}`, name, []);
    await eventually(() => expect(bus.status.isAnswering).toBe(true));
    await own.broker.kill();
    await eventually(() => expect(bus.status.isAnswering).toBe(false));
    for (let tries = 0; tries < 3; tries += 1) await bus.publish('one', [{ key: 'k', value: 'v' }]).catch(() => undefined);
    await own.broker.restart();
    await eventually(() => bus.publish('one', [{ key: 'k', value: 'v' }]));
    await eventually(() => expect(bus.status.isAnswering).toBe(true));
    await sleep(SETTLES_WITHIN_MS);
    expect(quiet.log).toEqual([
      expect.stringMatching(/^Kafka does not answer/),
      expect.stringMatching(/^Kafka serves again, after \d+ s$/),
    ]);
    await quiet.close();
  });

  it('does not keep a consumer from closing', async () => {
    const { seen, subscription } = await consuming('closing');
    await eventually(() => expect(seen.length).toBeGreaterThan(0));
    own.proxy.mode = 'hold';
    const from = performance.now();
    await subscription.close();
    expect(performance.now() - from).toBeLessThan(3_000);
    own.proxy.mode = 'pass';
  });
});
