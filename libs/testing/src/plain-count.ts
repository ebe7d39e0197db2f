import { DURATION_BOUNDS_MS } from '@application/read-models/duration-histogram';
import type { StatsWindow } from '@application/read-models/stats-window';

const HOUR = 3_600_000;
const SPANS: Readonly<Record<StatsWindow, readonly [ms: number, count: number]>> = {
  '1h': [60_000, 60],
  '24h': [HOUR, 24],
  '7d': [6 * HOUR, 28],
  '30d': [24 * HOUR, 30],
};

interface Happened {
  readonly at: number;
}

/** Events by the spans of the window, and all of them. */
export function inWindow<Event extends Happened>(window: StatsWindow, now: number, events: readonly Event[]) {
  const [ms, count] = SPANS[window];
  const starts = Array.from({ length: count }, (_, index) => (Math.floor(now / ms) - count + 1 + index) * ms);
  const spans = starts.map((at) => ({ at, events: events.filter((event) => event.at >= at && event.at < at + ms) }));
  return { spans, all: spans.flatMap((span) => span.events) };
}

/** Of the exact durations, rounded up as the histogram does. */
export function plainPercentile(durations: readonly number[], share: number): number | null {
  const exact = durations.toSorted((a, b) => a - b)[Math.ceil(durations.length * share) - 1];
  return exact === undefined ? null : (DURATION_BOUNDS_MS.find((bound) => exact <= bound) ?? DURATION_BOUNDS_MS.at(-1) ?? null);
}

export function plainPercentiles(durations: readonly number[]) {
  return {
    p50: plainPercentile(durations, 0.5),
    p95: plainPercentile(durations, 0.95),
    p99: plainPercentile(durations, 0.99),
  };
}
