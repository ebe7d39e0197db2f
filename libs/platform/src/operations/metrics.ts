import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { sampleEventLoopLag } from './sample-event-loop-lag.js';

/** Disables prom-client's own sampling of the event loop; `sampleEventLoopLag` replaces it. */
const MAX_TIMER_MS = 2 ** 31 - 1;

type ByLabel = Readonly<Record<string, number>>;

/** Prometheus metrics of this process. All are registered here, so names are unique. */
@Injectable()
export class Metrics {
  static readonly contentType = Registry.PROMETHEUS_CONTENT_TYPE;
  private readonly registry = new Registry();
  private readonly http = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30, 110],
    registers: [this.registry],
  });
  private rendering: Promise<string> | null = null;

  constructor() {
    collectDefaultMetrics({ register: this.registry, eventLoopMonitoringPrecision: MAX_TIMER_MS });
    sampleEventLoopLag(this.registry);
  }

  /** `route` is the pattern, never the path: ids must not become labels. */
  requestEnded(method: string, route: string, status: number, seconds: number): void {
    this.http.labels(method, route, String(status)).observe(seconds);
  }

  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [this.registry],
      collect: async () => {
        const value = await found(read);
        if (value === null) gauge.remove();
        else gauge.set(value);
      },
    });
  }

  /** Registers a gauge with one value per label value; each scrape calls `read`. */
  gauges<Label extends string>(name: string, help: string, label: Label, read: () => ByLabel | Promise<ByLabel>): void {
    const gauge: Gauge<Label> = new Gauge<Label>({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect: async () => {
        const values = await found(read);
        gauge.reset();
        for (const [value, count] of Object.entries(values ?? {})) gauge.labels(value).set(count);
      },
    });
  }

  facts(name: `${string}_info`, help: string, facts: Readonly<Record<string, string>>): void {
    new Gauge({ name, help, labelNames: Object.keys(facts), registers: [this.registry] }).labels(facts).set(1);
  }

  durations(name: `${string}_seconds`, help: string, buckets: readonly number[]): (seconds: number) => void {
    const histogram = new Histogram({ name, help, buckets: [...buckets], registers: [this.registry] });
    return (seconds) => histogram.observe(seconds);
  }

  /** Registers a counter whose total the caller keeps; each scrape calls `read`. */
  counter(name: `${string}_total`, help: string, read: () => number): void {
    const counter: Counter = new Counter({
      name,
      help,
      registers: [this.registry],
      collect: () => {
        counter.reset();
        counter.inc(read());
      },
    });
  }

  counters<Label extends string>(
    name: `${string}_total`,
    help: string,
    label: Label,
    read: () => ByLabel | Promise<ByLabel>,
  ): void {
    const counter: Counter<Label> = new Counter<Label>({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect: async () => {
        const counts = await found(read);
        counter.reset();
        for (const [value, count] of Object.entries(counts ?? {})) counter.labels(value).inc(count);
      },
    });
  }

  /** The text of a scrape. Concurrent scrapes share one, since rendering takes milliseconds. */
  render(): Promise<string> {
    this.rendering ??= this.registry.metrics().finally(() => (this.rendering = null));
    return this.rendering;
  }
}

/** Null if it cannot be read: a scrape leaves it out, as other values matter most during an outage. */
async function found<Value>(read: () => Value | Promise<Value>): Promise<Value | null> {
  try {
    return await read();
  } catch {
    return null;
  }
}
