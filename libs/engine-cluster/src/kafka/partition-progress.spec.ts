import { settle } from '@testing/fake-clock';
import fc from 'fast-check';
import { PartitionProgress } from './partition-progress.js';

const never = new Promise<void>(() => undefined);

describe('the progress with a partition', () => {
  it('is unknown until a message was read', () => {
    const progress = new PartitionProgress();
    expect([progress.position, progress.low, progress.committed]).toEqual([undefined, undefined, undefined]);
    progress.reads(7n);
    expect([progress.position, progress.low, progress.committed]).toEqual([7n, 7n, undefined]);
  });

  it('has the oldest message that is not done as its low mark, whatever the order in which they are done', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }), fc.gen(), async (dones, gen) => {
        const progress = new PartitionProgress();
        progress.reads(100n);
        const ends = dones.map((_, index) => {
          let end = (): void => undefined;
          progress.take(100n + BigInt(index), new Promise((resolve) => (end = resolve)));
          return end;
        });
        const order = gen(fc.shuffledSubarray, [...ends.keys()], { minLength: ends.length });
        for (const index of order) if (dones[index]) ends[index]?.();
        await settle();
        const oldest = dones.indexOf(false);
        expect(progress.low).toBe(100n + BigInt(oldest < 0 ? dones.length : oldest));
        expect(progress.position).toBe(100n + BigInt(dones.length));
      }),
    ));

  it('counts a message as done that failed', async () => {
    const progress = new PartitionProgress();
    progress.reads(0n);
    progress.take(0n, Promise.reject(new Error('failed')));
    await settle();
    expect(progress.low).toBe(1n);
  });

  it('knows after a rebalance what it accepted and is not done', () => {
    const progress = new PartitionProgress();
    progress.reads(5n);
    progress.take(5n, never);
    progress.take(6n, never);
    progress.reads(5n);
    expect([5n, 6n, 7n].map((offset) => progress.isTaken(offset))).toEqual([true, true, false]);
    expect(progress.low).toBe(5n);
  });

  it('starts anew with a log whose offsets are below all that it may be offered again', async () => {
    const progress = new PartitionProgress();
    progress.reads(5n);
    let end = (): void => undefined;
    progress.take(5n, new Promise((resolve) => (end = resolve)));
    progress.commits(5n);
    progress.reads(0n);
    expect([progress.position, progress.low, progress.committed]).toEqual([0n, 0n, undefined]);
    progress.take(0n, never);
    end();
    await settle();
    expect(progress.low).toBe(0n);
  });
});
