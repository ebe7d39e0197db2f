/** Counts of durations by the bound that they do not exceed, in the order of the bounds; trailing zeros are absent. */
export type DurationHistogram = readonly number[];

export const NO_DURATIONS: DurationHistogram = [];

/** 24 upper bounds in milliseconds. What is longer than the last counts with it. */
export const DURATION_BOUNDS_MS = [
  5, 10, 20, 35, 50, 75, 100, 150, 200, 300, 400, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 7_500, 10_000, 16_000, 30_000,
  60_000, 600_000,
] as const;

const LAST = DURATION_BOUNDS_MS.length - 1;

export function withDuration(histogram: DurationHistogram, ms: number): DurationHistogram {
  const found = DURATION_BOUNDS_MS.findIndex((bound) => ms <= bound);
  const place = found === -1 ? LAST : found;
  const counts = [...histogram];
  while (counts.length <= place) counts.push(0);
  counts[place] = countAt(counts, place) + 1;
  return counts;
}

export function merged(histograms: readonly DurationHistogram[]): DurationHistogram {
  const length = Math.max(0, ...histograms.map((each) => each.length));
  return Array.from({ length }, (_, index) => histograms.reduce((sum, each) => sum + countAt(each, index), 0));
}

/** The smallest bound that at least this share of the durations does not exceed; null without durations. */
export function percentileMs(histogram: DurationHistogram, share: number): number | null {
  const total = histogram.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = Math.ceil(total * share);
  let sum = 0;
  const place = histogram.findIndex((count) => (sum += count) >= rank);
  return DURATION_BOUNDS_MS[place] ?? null;
}

/** Milliseconds, rounded up to a bound of the histogram; null without a duration. */
export interface DurationPercentiles {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
}

export function percentilesOf(histogram: DurationHistogram): DurationPercentiles {
  return { p50: percentileMs(histogram, 0.5), p95: percentileMs(histogram, 0.95), p99: percentileMs(histogram, 0.99) };
}

function countAt(histogram: DurationHistogram, index: number): number {
  return histogram[index] ?? 0;
}
