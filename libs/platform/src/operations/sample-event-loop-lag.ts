import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

const SAMPLE_EVERY_MS = 200;
const NS_PER_SECOND = 1e9;

/** The monitor reports the time between samples, the interval included. */
const lag = (ns: number): number => Math.max(0, ns / NS_PER_SECOND - SAMPLE_EVERY_MS / 1_000);

const STATISTICS: Readonly<Record<string, (delays: IntervalHistogram) => number>> = {
  min: (delays) => lag(delays.min),
  max: (delays) => lag(delays.max),
  mean: (delays) => lag(delays.mean),
  stddev: (delays) => delays.stddev / NS_PER_SECOND,
  p50: (delays) => lag(delays.percentile(50)),
  p90: (delays) => lag(delays.percentile(90)),
  p99: (delays) => lag(delays.percentile(99)),
};

/** The event loop's lag in seconds. Prom-client's gauges sample 100 times a second, wake an idle process and add their interval. */
export function sampleEventLoopLag(registry: Registry): void {
  const delays = monitorEventLoopDelay({ resolution: SAMPLE_EVERY_MS });
  delays.enable();
  const readAll = (): void => {
    if (delays.count === 0) return;
    for (const { gauge, read } of gauges) gauge.set(read(delays));
    delays.reset();
  };
  const gauges = Object.entries(STATISTICS).map(([statistic, read], index) => {
    const name = `nodejs_eventloop_lag_${statistic}_seconds`;
    const help = `Event loop lag since the previous scrape, in seconds: ${statistic}.`;
    registry.removeSingleMetric(name);
    // Gauges are collected in order of registration: the first reads the samples for all.
    return { read, gauge: new Gauge({ name, help, registers: [registry], ...(index === 0 && { collect: readAll }) }) };
  });
}
