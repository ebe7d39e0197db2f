import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

type Told = Parameters<SpanExporter['export']>[1];

/** Passes spans on to an exporter, and tells how that went: the SDK itself says nothing of a collector that is away. */
export class WatchedExporter implements SpanExporter {
  constructor(
    private readonly exporter: SpanExporter,
    private readonly exported: (failure: Error | null) => void,
  ) {}

  export(spans: ReadableSpan[], told: Told): void {
    this.exporter.export(spans, (result) => {
      this.exported(result.code === 0 ? null : (result.error ?? new Error('refused')));
      told(result);
    });
  }

  forceFlush(): Promise<void> {
    return this.exporter.forceFlush?.() ?? Promise.resolve();
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }
}
