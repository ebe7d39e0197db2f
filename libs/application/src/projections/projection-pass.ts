import type { DomainEvent } from '@domain/kernel/decider';
import type { EventStore, FeedBatch, Position, Recorded } from '@ports/event-store.port';
import type { Projection } from '../read-models/projection.js';
import { LinkedAbort } from '../runtime/linked-abort.js';
import { RowFold, type RowFoldOptions } from './row-fold.js';
import { RowWriter, type RowTarget, type RowWriterOptions } from './row-writer.js';

export interface PassOptions extends RowWriterOptions, RowFoldOptions {
  /** Called before these events are folded. */
  readonly onRead?: (events: readonly Recorded[]) => void;
}

const EVENTS_PER_READ = 512;

/** One pass over the feed: reads events from a position on, folds them into rows, and has the rows written. */
export class ProjectionPass {
  private readonly fold: RowFold;
  private readonly writer: RowWriter;
  private readonly end: LinkedAbort;

  constructor(
    private readonly store: Pick<EventStore, 'subscribe'>,
    private readonly projection: Projection<DomainEvent>,
    target: RowTarget,
    from: Position,
    private readonly options: PassOptions,
    signal: AbortSignal,
  ) {
    this.end = new LinkedAbort(signal);
    this.fold = new RowFold(projection, target, options);
    this.writer = new RowWriter(this.fold, target, from, options, this.end);
  }

  get position(): Position {
    return this.writer.position;
  }

  get rowsBegun(): number {
    return this.fold.begun;
  }

  /** Reads until the signal aborts, then writes what it has read. Rejects when the store or the rows are unavailable. */
  async run(): Promise<void> {
    try {
      await this.read();
    } catch (error) {
      this.writer.fail(error);
    }
    this.end.abort();
    try {
      await this.writer.close();
    } finally {
      this.end.unlink();
    }
  }

  flushUpTo(position: Position): void {
    this.writer.flushUpTo(position);
  }

  /** Flushes, and resolves once everything up to `position` is written. Rejects when the pass ends before. */
  flushed(position: Position): Promise<void> {
    return this.writer.flushed(position);
  }

  private async read(): Promise<void> {
    const feed = { categories: this.projection.categories, atOnce: EVENTS_PER_READ, signal: this.end.signal };
    for await (const batch of this.store.subscribe(this.position, feed)) {
      await this.take(batch);
      if (this.writer.hasFailed) return;
    }
  }

  private async take({ events, upTo }: FeedBatch): Promise<void> {
    if (events.length > 0) {
      this.options.onRead?.(events);
      await this.fold.take(events);
    }
    await this.writer.folded(upTo);
  }
}
