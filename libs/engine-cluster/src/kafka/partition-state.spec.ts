import { FakeClock, settle } from '@testing/fake-clock';
import { PartitionState } from './partition-state.js';

const HELD_MS = 60_000;

function held() {
  const clock = new FakeClock();
  const partition = new PartitionState('topic', 0, clock);
  let overs = 0;
  partition.waits({ kind: 'held', until: clock.now() + HELD_MS }, () => (overs += 1));
  return { clock, partition, overs: () => overs };
}

describe('a partition that waits', () => {
  it('for an instant goes on then, once', async () => {
    const { clock, partition, overs } = held();
    await clock.advance(HELD_MS - 1);
    expect([overs(), partition.isWaiting]).toEqual([0, true]);
    await clock.advance(1);
    expect([overs(), partition.isWaiting, clock.pending]).toEqual([1, false, 0]);
  });

  it.each([
    ['forward by an hour', 3_600_000, 0],
    ['back by an hour', -3_600_000, HELD_MS],
  ])('goes on at the latest when its wait is over, though the clock is set %s', async (_, step, leftMs) => {
    const { clock, overs } = held();
    clock.set(clock.now() + step);
    if (leftMs > 0) await clock.advance(leftMs - 1);
    expect(overs()).toBe(0);
    await clock.advance(1);
    expect([overs(), clock.pending]).toEqual([1, 0]);
  });

  it.each(['endWait', 'restart', 'revoke'] as const)('does not go on by itself after %s', async (end) => {
    const { clock, partition, overs } = held();
    partition[end]();
    await clock.advance(HELD_MS);
    expect([overs(), partition.isWaiting, clock.pending]).toEqual([0, false, 0]);
  });

  it('for room goes on when there is some, unless it waits for something else by then', async () => {
    const { clock, partition, overs } = held();
    let later = 0;
    partition.waits({ kind: 'full', space: Promise.resolve() }, () => (later += 1));
    partition.waits({ kind: 'held', until: clock.now() + 1 }, () => (later += 10));
    await settle();
    expect(later).toBe(0);
    await clock.advance(HELD_MS);
    expect([overs(), later]).toEqual([0, 10]);
    partition.waits({ kind: 'full', space: Promise.reject(new Error('gone')) }, () => (later += 100));
    await settle();
    expect(later).toBe(110);
  });
});
