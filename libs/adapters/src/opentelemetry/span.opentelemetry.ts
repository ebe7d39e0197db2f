import type { AsyncLocalStorage } from 'node:async_hooks';
import { SpanStatusCode, TraceFlags, type Link, type Span as ApiSpan, type SpanContext } from '@opentelemetry/api';
import { parseTraceparent, toTraceparent } from '@ports/traceparent';
import type { LogIds, Span, SpanFields } from '@ports/tracer.port';
import { toAttributes } from './attributes.js';

/** A span of OpenTelemetry. */
export class OpenTelemetrySpan implements Span {
  readonly traceparent: string;
  /** Whether a collector gets it, and those below. */
  readonly isKept: boolean;

  constructor(
    readonly api: ApiSpan,
    readonly logIds: LogIds,
    private readonly active: AsyncLocalStorage<OpenTelemetrySpan>,
  ) {
    const { traceId, spanId, traceFlags } = api.spanContext();
    this.isKept = (traceFlags & TraceFlags.SAMPLED) !== 0;
    this.traceparent = toTraceparent({ traceId, spanId, isSampled: this.isKept });
  }

  run<T>(work: () => T): T {
    return this.active.getStore() === this ? work() : this.active.run(this, work);
  }

  set(fields: SpanFields): void {
    if (!this.api.isRecording()) return;
    const attributes = toAttributes(fields);
    this.api.setAttributes(attributes);
    const { 'http.request.method': method, 'http.route': route } = attributes;
    if (method !== undefined && route !== undefined) this.api.updateName(`${String(method)} ${String(route)}`);
  }

  fail(type: string): void {
    if (!this.api.isRecording()) return;
    this.api.setAttributes(toAttributes({ 'error.type': type })).setStatus({ code: SpanStatusCode.ERROR });
  }

  link(traceparent: string | undefined): void {
    for (const link of linksTo([traceparent])) this.api.addLink(link);
  }

  end(): void {
    if (this.api.isRecording()) this.api.end();
  }
}

/** Null for a text that is no `traceparent`. */
export function remoteContext(traceparent: string | undefined): SpanContext | null {
  const found = parseTraceparent(traceparent);
  if (!found) return null;
  const { traceId, spanId, isSampled } = found;
  return { traceId, spanId, isRemote: true, traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE };
}

/** Links to those of these spans that are kept: another leads nowhere. */
export function linksTo(traceparents: readonly (string | undefined)[]): Link[] {
  return [...new Set(traceparents)].flatMap((traceparent) => {
    const context = remoteContext(traceparent);
    return context?.traceFlags === TraceFlags.SAMPLED ? [{ context }] : [];
  });
}
