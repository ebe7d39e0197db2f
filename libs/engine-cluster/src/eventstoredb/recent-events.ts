import { KeyedProgress } from '@kit/keyed-progress';
import type { Position, Recorded } from '@ports/event-store.port';
import { streamCategory } from '@ports/stream-category';
import type { LogPage } from './log-pages.js';

const EVENTS_KEPT = 8_192;
const CHARACTERS_KEPT = 8 * 1024 * 1024;

/** The newest events of the log, without gaps, shared by every feed of the process. Older ones are read from the server. */
export class RecentEvents {
  private events: Recorded[] = [];
  private sizes: number[] = [];
  private characters = 0;
  private oldest: Position;
  private readonly progress: KeyedProgress;

  constructor(private newest: Position) {
    this.oldest = newest;
    this.progress = new KeyedProgress(newest);
  }

  /** Every event after this position is in memory. */
  get floor(): Position {
    return this.oldest;
  }

  /** Up to here the log was read. */
  get upTo(): Position {
    return this.newest;
  }

  /** The position of the newest event of these categories up to `upTo`, or a later one where that is unknown. */
  headOf(categories: readonly string[]): Position {
    return this.progress.furthest(categories);
  }

  add({ events, upTo }: LogPage): void {
    for (const event of events) {
      const size = JSON.stringify(event.event).length + (event.metadata ? JSON.stringify(event.metadata).length : 0);
      this.events.push(event);
      this.progress.note(streamCategory(event.stream), event.position);
      this.sizes.push(size);
      this.characters += size;
    }
    this.newest = upTo;
    this.dropOldest();
  }

  /** What comes after a position at or above the floor. */
  after(position: Position, count: number): LogPage {
    const first = this.firstAfter(position);
    const events = this.events.slice(first, first + count);
    const isLast = first + count >= this.events.length;
    return { events, upTo: isLast ? this.newest : (events.at(-1)?.position ?? this.newest), isLast };
  }

  private dropOldest(): void {
    let dropped = 0;
    while (this.events.length - dropped > EVENTS_KEPT || this.characters > CHARACTERS_KEPT) {
      this.characters -= this.sizes[dropped] ?? 0;
      dropped += 1;
    }
    if (dropped === 0) return;
    this.oldest = this.events[dropped - 1]?.position ?? this.oldest;
    this.events = this.events.slice(dropped);
    this.sizes = this.sizes.slice(dropped);
  }

  private firstAfter(position: Position): number {
    let [low, high] = [0, this.events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.events[middle]?.position ?? '') <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
