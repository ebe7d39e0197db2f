import { OpenTelemetryTracer } from '@adapters/opentelemetry/tracer.opentelemetry';
import type { Tracer } from '@ports/tracer.port';
import { FakeClock } from './fake-clock.js';

type Exporter = ConstructorParameters<typeof OpenTelemetryTracer>[1];
type Exported = Parameters<Exporter['export']>[0][number];

/** What a spec looks at of a span. */
export interface RecordedSpan {
  readonly name: string;
  /** The name of the span that it belongs to; undefined where that is not among the recorded ones. */
  readonly below: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly hasFailed: boolean;
  readonly links: readonly string[];
}

/** A tracer that keeps every span in memory. */
export class RecordedTraces {
  readonly tracer: Tracer;
  private readonly ended: Exported[] = [];

  constructor() {
    const exporter: Exporter = {
      export: (spans, done) => {
        this.ended.push(...spans);
        done({ code: 0 });
      },
      shutdown: () => Promise.resolve(),
    };
    const options = {
      service: 'spec',
      version: '0',
      sampler: 'parentbased_always_on',
      ratio: 1,
      exported: () => undefined,
    } as const;
    this.tracer = new OpenTelemetryTracer(options, exporter, new FakeClock());
  }

  /** Closes the tracer; its spans in the order of their ends. */
  async spans(): Promise<readonly RecordedSpan[]> {
    await this.tracer.close();
    const nameOf = (id: string | undefined) => this.ended.find((span) => span.spanContext().spanId === id)?.name;
    return this.ended.map(({ name, attributes, status, links, parentSpanContext }) => ({
      name,
      below: nameOf(parentSpanContext?.spanId),
      fields: attributes,
      hasFailed: status.code === 2,
      links: links.map(({ context: { traceId, spanId } }) => `00-${traceId}-${spanId}-01`),
    }));
  }
}
