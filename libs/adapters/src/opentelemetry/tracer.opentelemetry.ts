import { AsyncLocalStorage } from 'node:async_hooks';
import { ROOT_CONTEXT, SpanKind, trace, type Tracer as ApiTracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace';
import { inTime, type Timer } from '@kit/time';
import type { SamplerName } from '@ports/setting-bounds';
import { Tracer, type LogIds, type Span, type SpanFields, type SpanName, type SpanOrigin } from '@ports/tracer.port';
import { toAttributes } from './attributes.js';
import { samplerOf } from './sampler.js';
import { linksTo, OpenTelemetrySpan, remoteContext } from './span.opentelemetry.js';
import { WatchedExporter } from './watched-exporter.js';

export interface TracerOptions {
  /** The name and the release of the app. */
  readonly service: string;
  readonly version: string;
  readonly sampler: SamplerName;
  /** The share of traces that a sampler by ratio keeps. */
  readonly ratio: number;
  /** Told after each batch of spans: null where the collector took it. */
  readonly exported: (failure: Error | null) => void;
}

const FLUSHED_WITHIN_MS = 2_000;
/** Spans that wait; more are dropped. */
const QUEUE = { maxQueueSize: 4_096, maxExportBatchSize: 512, scheduledDelayMillis: 1_000, exportTimeoutMillis: 10_000 };
const NO_IDS: LogIds = {};

const KINDS: Partial<Record<SpanName, SpanKind>> = {
  request: SpanKind.SERVER,
  publication: SpanKind.PRODUCER,
  attempt: SpanKind.CLIENT,
};

/** Sends spans to a collector by OTLP over HTTP. The async context carries the active span and nothing else. */
export class OpenTelemetryTracer extends Tracer {
  readonly isOn = true;
  private readonly active = new AsyncLocalStorage<OpenTelemetrySpan>();
  private readonly provider: TracerProvider;
  private readonly api: ApiTracer;
  /** Below a span that is not kept none is. */
  private readonly followsParent: boolean;
  private closed: Promise<void> | null = null;

  /** @param exporter takes the spans */
  constructor(
    { service, version, sampler, ratio, exported }: TracerOptions,
    exporter: SpanExporter,
    private readonly timer: Timer,
  ) {
    super();
    this.provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': service, 'service.version': version }),
      sampler: samplerOf(sampler, ratio),
      spanProcessors: [new BatchSpanProcessor({ exporter: new WatchedExporter(exporter, exported), ...QUEUE })],
    });
    this.followsParent = sampler.startsWith('parentbased_');
    this.api = this.provider.getTracer(service, version);
  }

  /** @param endpoint the base URL of the collector, without `/v1/traces` */
  static to(endpoint: string, options: TracerOptions, timer: Timer): OpenTelemetryTracer {
    return new OpenTelemetryTracer(options, new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` }), timer);
  }

  get traceparent(): string | undefined {
    return this.active.getStore()?.traceparent;
  }

  get logIds(): LogIds {
    return this.active.getStore()?.logIds ?? NO_IDS;
  }

  override begin(name: SpanName, fields: SpanFields, origin?: SpanOrigin): OpenTelemetrySpan {
    const above = origin ? this.remote(origin) : this.active.getStore();
    // Of nine requests in ten nothing is kept: all spans of such a request are one.
    if (above && !above.isKept && this.followsParent) return above;
    const context = above ? trace.setSpan(ROOT_CONTEXT, above.api) : ROOT_CONTEXT;
    const span = this.api.startSpan(name, { kind: KINDS[name] ?? SpanKind.INTERNAL }, context);
    if (span.isRecording()) span.setAttributes(toAttributes(fields)).addLinks(linksTo(origin?.links ?? []));
    const logIds = origin || !above ? idsOf(span.spanContext().traceId, fields) : above.logIds;
    return new OpenTelemetrySpan(span, logIds, this.active);
  }

  override run<T>(name: SpanName, fields: SpanFields, work: (span: Span) => Promise<T>, origin?: SpanOrigin): Promise<T> {
    const span = this.begin(name, fields, origin);
    return span.isKept ? this.follow(span, work) : span.run(() => work(span));
  }

  link(traceparent: string | undefined): void {
    this.active.getStore()?.link(traceparent);
  }

  close(): Promise<void> {
    this.closed ??= inTime(
      this.timer,
      FLUSHED_WITHIN_MS,
      this.provider.shutdown().catch(() => undefined),
    ).then(() => undefined);
    return this.closed;
  }

  /** The span of another process, or an earlier one of this; undefined where the origin names none. */
  private remote({ parent }: SpanOrigin): OpenTelemetrySpan | undefined {
    const context = remoteContext(parent);
    return context
      ? new OpenTelemetrySpan(trace.wrapSpanContext(context), { trace_id: context.traceId }, this.active)
      : undefined;
  }
}

function idsOf(trace_id: string, { request_id }: SpanFields): LogIds {
  return request_id === undefined ? { trace_id } : { request_id, trace_id };
}
