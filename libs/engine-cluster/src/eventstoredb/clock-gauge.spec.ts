import fc from 'fast-check';
import { FakeClock } from '@testing/fake-clock';
import { ClockGauge } from './clock-gauge.js';

interface Step {
  /** Milliseconds from the previous poll to the write, and from the write to the poll that found it. */
  readonly writtenAfterMs: number;
  readonly foundAfterMs: number;
  readonly isLast: boolean;
}

/** Polls a log whose server clock is this far ahead; returns the reported skews. */
function told(aheadMs: number, steps: readonly Step[]): readonly number[] {
  const [clock, found] = [new FakeClock(), [] as number[]];
  const gauge = new ClockGauge(clock, (ms) => void found.push(ms));
  gauge.note({ writtenAt: null, isLast: true }, clock.now());
  for (const { writtenAfterMs, foundAfterMs, isLast } of steps) {
    clock.elapse(writtenAfterMs);
    const writtenAt = clock.now() + aheadMs;
    const begunAt = clock.now();
    clock.elapse(foundAfterMs);
    gauge.note({ writtenAt, isLast }, begunAt);
  }
  return found;
}

const quick = { writtenAfterMs: 100, foundAfterMs: 10, isLast: true };
const anyStep = fc.record<Step>({ writtenAfterMs: fc.nat(10_000), foundAfterMs: fc.nat(10_000), isLast: fc.boolean() });

describe('the clock of the server', () => {
  it.each([
    [3_000, 2_990],
    [-3_000, -2_890],
  ])('is told of when it is ahead by %i ms, by the third event at most', (aheadMs, seenMs) => {
    expect(told(aheadMs, [quick, quick])).toEqual([]);
    expect(told(aheadMs, [quick, quick, quick])).toEqual([seenMs]);
  });

  it('is told of once a minute', () => {
    const seconds = (count: number) => Array.from({ length: count }, () => ({ ...quick, writtenAfterMs: 990 }));
    expect(told(5_000, seconds(60))).toHaveLength(1);
    expect(told(5_000, seconds(70))).toHaveLength(2);
  });

  it('is not told of by one event that was long in being committed', () => {
    const [clock, found] = [new FakeClock(), [] as number[]];
    const gauge = new ClockGauge(clock, (ms) => void found.push(ms));
    for (let look = 0; look < 12; look += 1) {
      gauge.note({ writtenAt: clock.now() - (look % 3 === 0 ? 0 : 5_000), isLast: true }, clock.now());
    }
    expect(found).toEqual([]);
  });

  it('law: is told of by no delay, while it differs by no more than clocks may', () =>
    fc.assert(
      fc.property(fc.integer({ min: -2_000, max: 2_000 }), fc.array(anyStep), (aheadMs, steps) =>
        expect(told(aheadMs, steps)).toEqual([]),
      ),
    ));
});
