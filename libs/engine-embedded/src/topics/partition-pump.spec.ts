import { AsyncLocalStorage } from 'node:async_hooks';
import type { ConsumeResult } from '@ports/message-bus.port';
import { FakeClock, settle } from '@testing/fake-clock';
import fc from 'fast-check';
import { type Handler, PartitionPump } from './partition-pump.js';
import type { StoredMessages } from './stored-messages.js';
import { Topic, type PlacedMessage } from './topic.js';

const TOPIC = new Topic(1, 'notes', [0]);

/** A partition whose messages are announced, then in the file, then published. */
class Partition {
  readonly offered: number[] = [];
  private readonly file: PlacedMessage[] = [];
  private readonly announced: PlacedMessage[] = [];
  private next = 0;
  readonly clock = new FakeClock();
  unreadable = false;
  private readonly pump: PartitionPump;

  constructor() {
    const read = (_topic: number, _partition: number, from: number, limit: number) => {
      if (this.unreadable) throw new Error('disk I/O error');
      return this.file.filter(({ offset }) => offset >= from).slice(0, limit);
    };
    this.pump = new PartitionPump(TOPIC, 0, 0, { read } as unknown as StoredMessages, this.clock, () => undefined);
  }

  servedBy(handler: Handler | undefined): void {
    this.pump.serve(handler);
  }

  serve(result: () => ConsumeResult): void {
    this.servedBy(({ offset }) => {
      const answer = result();
      if (answer.kind === 'accepted') this.offered.push(Number(offset));
      return Promise.resolve(answer);
    });
  }

  announce(count: number): void {
    for (let each = 0; each < count; each++) {
      const message = { partition: 0, offset: this.next++, key: 'k', value: 'v' };
      this.announced.push(message);
      this.pump.announced(message);
    }
  }

  /** Stores the oldest `count` announced messages; the returned function publishes them. */
  store(count: number): () => void {
    const stored = this.announced.splice(0, count);
    this.file.push(...stored);
    return () => stored.forEach((message) => this.pump.published(message));
  }

  get onTheirWay(): number {
    return this.announced.length;
  }
}

const accepted = (): ConsumeResult => ({ kind: 'accepted', done: Promise.resolve() });

describe('a partition', () => {
  it('offers a message that is being stored to a consumer that waits for it', async () => {
    const partition = new Partition();
    partition.serve(accepted);
    await settle();
    partition.announce(1);
    await settle();
    expect(partition.offered).toEqual([0]);
  });

  it('offers no message in the async context of the request that published one', async () => {
    const partition = new Partition();
    const request = new AsyncLocalStorage<string>();
    const contexts: unknown[] = [];
    partition.serve(() => {
      contexts.push(request.getStore());
      return accepted();
    });
    await settle();
    for (const name of ['one', 'other']) request.run(name, () => partition.announce(1));
    await settle();
    expect(contexts).toEqual([undefined, undefined]);
  });

  it('that cannot be read for a while is read again', async () => {
    const partition = new Partition();
    partition.unreadable = true;
    partition.announce(1);
    partition.store(1)();
    partition.serve(accepted);
    await partition.clock.advance(5_000);
    partition.unreadable = false;
    await partition.clock.advance(1_000);
    expect(partition.offered).toEqual([0]);
  });

  it('does not offer what is held before its time, though the partitions are shared out again', async () => {
    const partition = new Partition();
    let offers = 0;
    const handler = () => Promise.resolve<ConsumeResult>({ kind: 'held', until: partition.clock.now() + 60_000 * ++offers });
    partition.servedBy(handler);
    partition.announce(1);
    partition.store(1)();
    await settle();
    partition.servedBy(handler);
    await settle();
    expect(offers).toBe(1);
    partition.servedBy(undefined);
    expect(partition.clock.pending).toBe(0);
  });

  it.each([
    ['forward by an hour', 3_600_000, 0],
    ['back by an hour', -3_600_000, 50_000],
  ])('offers what is held at the latest when its wait is over, though the clock is set %s', async (_, step, leftMs) => {
    const partition = new Partition();
    const until = partition.clock.now() + 60_000;
    let offers = 0;
    partition.servedBy(() => Promise.resolve<ConsumeResult>(offers++ === 0 ? { kind: 'held', until } : accepted()));
    partition.announce(1);
    await partition.clock.advance(10_000);
    partition.clock.set(partition.clock.now() + step);
    if (leftMs > 0) await partition.clock.advance(leftMs - 1);
    expect(offers).toBe(1);
    await partition.clock.advance(1);
    expect(offers).toBe(2);
    expect(partition.clock.pending).toBe(0);
  });

  it('law: offers every stored message once and in order, however storing, telling and reading alternate', async () => {
    const step = fc.record({ announced: fc.nat(200), stored: fc.nat(200), toldLater: fc.boolean(), settles: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.nat(12), async (steps, servedFrom) => {
        const partition = new Partition();
        let untold: (() => void)[] = [];
        for (const [index, { announced, stored, toldLater, settles }] of steps.entries()) {
          if (index === servedFrom) partition.serve(accepted);
          partition.announce(announced);
          untold.push(partition.store(stored));
          if (settles) await settle();
          if (toldLater) continue;
          for (const told of untold) told();
          untold = [];
        }
        const all = steps.reduce((sum, { announced }) => sum + announced, 0);
        untold.push(partition.store(partition.onTheirWay));
        for (const told of untold) told();
        partition.serve(accepted);
        await settle();
        await settle();
        expect(partition.offered).toEqual(Array.from({ length: all }, (_, offset) => offset));
      }),
      { numRuns: 100 },
    );
  });
});
