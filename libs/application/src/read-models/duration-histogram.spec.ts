import fc from 'fast-check';
import { DURATION_BOUNDS_MS, merged, NO_DURATIONS, percentileMs, withDuration } from './duration-histogram.js';

const histogramOf = (durations: readonly number[]) => durations.reduce(withDuration, NO_DURATIONS);
const durations = fc.array(fc.nat(700_000));
const shares = fc.constantFrom(0.5, 0.95, 0.99);

/** The smallest duration that at least this share do not exceed, rounded up to a bound. */
function plainPercentile(of: readonly number[], share: number): number | null {
  const exact = of.toSorted((a, b) => a - b)[Math.ceil(of.length * share) - 1];
  if (exact === undefined) return null;
  return DURATION_BOUNDS_MS.find((bound) => exact <= bound) ?? 600_000;
}

describe('a histogram of durations', () => {
  it('has 24 bounds, in order', () => {
    expect(DURATION_BOUNDS_MS).toHaveLength(24);
    expect([...new Set(DURATION_BOUNDS_MS)].toSorted((a, b) => a - b)).toEqual(DURATION_BOUNDS_MS);
  });

  it('gives each percentile of the durations, rounded up to a bound', () =>
    fc.assert(
      fc.property(durations, shares, (some, share) =>
        expect(percentileMs(histogramOf(some), share)).toBe(plainPercentile(some, share)),
      ),
    ));

  it('is the same made in one or merged from several', () =>
    fc.assert(
      fc.property(fc.array(durations), (parts) => expect(merged(parts.map(histogramOf))).toEqual(histogramOf(parts.flat()))),
    ));

  it('counts what is longer than its last bound with that', () =>
    expect(percentileMs(histogramOf([3_600_000]), 0.5)).toBe(600_000));
});
