import type { Recorded } from '@ports/event-store.port';
import type { Tracer } from '@ports/tracer.port';
import { sharedOrigin } from '../runtime/traced.js';

const MAX_NOTED = 1_000;

/** The spans of one read model's writes: each belongs to the span that caused the first event of it, and has links to the others. */
export class WriteTraces {
  private noted: (string | undefined)[] = [];

  constructor(
    private readonly tracer: Tracer,
    private readonly collection: string,
  ) {}

  /** These events were read, and the next write shows them. */
  note(events: readonly Recorded[]): void {
    if (!this.tracer.isOn || this.noted.length > MAX_NOTED) return;
    for (const { metadata } of events) this.noted.push(metadata?.traceparent);
  }

  /** Runs a write of so many rows: a checkpoint without rows has no span. */
  write(rows: number, work: () => Promise<void>): Promise<void> {
    const { noted } = this;
    this.noted = [];
    if (!this.tracer.isOn || rows === 0) return work();
    const origin = sharedOrigin(noted);
    return this.tracer.run('projection', { collection: this.collection, rows }, work, origin);
  }
}
