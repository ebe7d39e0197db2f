import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

type ByLabel = Readonly<Record<string, number>>;

/** Many in a row take a fraction of what each by itself does; until somebody asks nobody misses them. */
const COUNTED_AT_ONCE = 256;

interface EndedRequest {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** What Prometheus asks for. Every metric of the process is made here, so that names are unique. */
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
  private readonly series = new Map<string, { observe(seconds: number): void }>();
  /** Requests that are over and not counted yet. */
  private ended: EndedRequest[] = [];
  private rendering: Promise<string> | null = null;

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** `route` is the pattern, never the path: ids must not become labels. */
  requestEnded(method: string, route: string, status: number, seconds: number): void {
    this.ended.push({ method, route, status, seconds });
    if (this.ended.length >= COUNTED_AT_ONCE) this.countEnded();
  }

  /** `read` is asked at each scrape. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      registers: [this.registry],
      collect: async () => gauge.set(await read()),
    });
  }

  /** One value a label; `read` is asked at each scrape. */
  gauges<Label extends string>(name: string, help: string, label: Label, read: () => ByLabel | Promise<ByLabel>): void {
    const gauge: Gauge<Label> = new Gauge<Label>({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect: async () => {
        for (const [value, count] of Object.entries(await read())) gauge.labels(value).set(count);
      },
    });
  }

  /** What has happened since the process started, counted elsewhere; else as `gauge`. The name ends in `_total`. */
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

  /** One count a label; else as `counter`. */
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
        const counts = await read();
        counter.reset();
        for (const [value, count] of Object.entries(counts)) counter.labels(value).inc(count);
      },
    });
  }

  /** Who asks while a text is being made is given that one: making it costs milliseconds. */
  render(): Promise<string> {
    this.countEnded();
    this.rendering ??= this.registry.metrics().finally(() => (this.rendering = null));
    return this.rendering;
  }

  private countEnded(): void {
    const { ended } = this;
    this.ended = [];
    for (const { method, route, status, seconds } of ended) {
      const key = `${method} ${status} ${route}`;
      let series = this.series.get(key);
      if (!series) this.series.set(key, (series = this.http.labels(method, route, String(status))));
      series.observe(seconds);
    }
  }
}
