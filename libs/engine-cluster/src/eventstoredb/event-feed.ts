import { Backoff } from '@kit/time';
import { type Clock, pause } from '@ports/clock.port';
import type { FeedBatch, FeedOptions, Position, Recorded } from '@ports/event-store.port';
import { streamCategory } from '@ports/stream-category';
import { ENGINE_CONSTANTS } from '../engine-constants.js';
import type { LogPage, LogPages } from './log-pages.js';
import type { LogTail } from './log-tail.js';
import { PositionUnusable } from './position.js';

const AT_ONCE = 128;
const LARGEST_PAGE = 4_096;
const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 500;

/** The events after a position: from the server until the tail has them, then from the tail. Retries during an outage. */
export class EventFeed {
  private readonly atOnce: number;
  private readonly pageEvents: number;
  private readonly backoff = new Backoff(FIRST_PAUSE_MS, MAX_PAUSE_MS);
  private readonly era: number;

  constructor(
    private readonly pages: LogPages,
    private readonly tail: LogTail,
    private readonly clock: Clock,
    private position: Position,
    private readonly options: FeedOptions,
  ) {
    this.era = tail.era;
    this.atOnce = options.atOnce ?? AT_ONCE;
    this.pageEvents = Math.min(LARGEST_PAGE, Math.max(this.atOnce, ENGINE_CONSTANTS.eventStoreDb.pageEvents));
  }

  async *batches(): AsyncGenerator<FeedBatch> {
    const { signal } = this.options;
    while (!signal.aborted) {
      const page = await this.next();
      if (signal.aborted || !page) continue;
      for (const batch of this.cut(page)) {
        this.position = batch.upTo;
        yield batch;
        if (signal.aborted) return;
      }
    }
  }

  private async next(): Promise<LogPage | undefined> {
    const { signal } = this.options;
    const page = (await this.tail.after(this.position, this.pageEvents, signal, this.era)) ?? (await this.fromServer());
    this.tail.check(this.era);
    return page && page.upTo > this.position ? page : undefined;
  }

  private async fromServer(): Promise<LogPage | undefined> {
    const { floor } = this.tail.recent;
    try {
      const page = await this.pages.after(this.position, this.pageEvents);
      this.backoff.reset();
      // When the server has nothing more before the tail's events, go on there: deleted events leave a gap.
      return page.isLast && page.upTo < floor ? { ...page, upTo: floor } : page;
    } catch (error) {
      if (error instanceof PositionUnusable) throw error;
      await pause(this.clock, this.backoff.next(), this.options.signal);
      return undefined;
    }
  }

  private *cut({ events, upTo }: LogPage): Generator<FeedBatch> {
    const wanted = events.filter((event) => this.isWanted(event));
    for (let first = 0; first + this.atOnce < wanted.length; first += this.atOnce) {
      const batch = wanted.slice(first, first + this.atOnce);
      yield { events: batch, upTo: batch.at(-1)?.position ?? upTo };
    }
    const rest = wanted.length % this.atOnce || Math.min(wanted.length, this.atOnce);
    yield { events: wanted.slice(wanted.length - rest), upTo };
  }

  private isWanted({ stream }: Recorded): boolean {
    const category = streamCategory(stream);
    return this.options.categories?.includes(category) ?? category !== 'reactor';
  }
}
