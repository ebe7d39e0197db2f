import { KeyedProgress } from '@kit/keyed-progress';
import type { Position, Recorded } from '@ports/event-store.port';
import { streamCategory } from '@ports/stream-category';
import { positionOf } from './position.js';

const EVENTS_KEPT = 8_192;
const CHARACTERS_KEPT = 8 * 1024 * 1024;
/** How many events stay though every feed has read them: a feed that begins anew is mostly not far behind. */
const SPARE = 64;
const LETS_GO_EVERY = 32;

/** The position up to which a feed has read. */
export interface FeedPlace {
  position: number;
}

/**
 * The newest committed events, without gaps, shared by every feed. Older ones are read from the file. An event that all feeds
 * have read is dropped soon: if it stayed, the garbage collector would move it to the old generation.
 */
export class RecentEvents {
  private readonly feeds = new Set<FeedPlace>();
  // A ring with a fixed place for each position: an array that is cut off at its beginning would be copied all the time.
  private readonly events = new Array<Recorded | undefined>(EVENTS_KEPT).fill(undefined);
  /** The categories of the events' streams, for the filters of the feeds. */
  private readonly categories = new Array<string>(EVENTS_KEPT).fill('');
  private readonly sizes = new Uint32Array(EVENTS_KEPT);
  private oldest: number;
  private characters = 0;
  private readonly progress: KeyedProgress;

  constructor(private newest: number) {
    this.oldest = newest + 1;
    this.progress = new KeyedProgress(positionOf(newest));
  }

  /** The position of the newest committed event. */
  get head(): number {
    return this.newest;
  }

  /** The position of the newest event of these categories, or a later one where that is unknown. */
  headOf(categories: readonly string[]): Position {
    return this.progress.furthest(categories);
  }

  /** Every event after this position is in memory. */
  get floor(): number {
    return this.oldest - 1;
  }

  /** Registers a feed, which keeps its place up to date until `leave`. */
  enter(position: number): FeedPlace {
    const place = { position };
    this.feeds.add(place);
    return place;
  }

  leave(place: FeedPlace): void {
    this.feeds.delete(place);
  }

  add(event: Recorded, characters: number): void {
    if (this.newest - this.floor === EVENTS_KEPT) this.dropOldest();
    this.newest += 1;
    const place = placeOf(this.newest);
    const category = streamCategory(event.stream);
    this.events[place] = event;
    this.categories[place] = category;
    this.progress.note(category, event.position);
    this.sizes[place] = characters;
    this.characters += characters;
    while (this.characters > CHARACTERS_KEPT) this.dropOldest();
    if (this.newest % LETS_GO_EVERY === 0) this.letGo();
  }

  /** The next `limit` events after the position, filtered by category. The position must not be below the floor. */
  after(position: number, limit: number, isWanted: (category: string) => boolean): readonly Recorded[] {
    const last = Math.min(position + limit, this.newest);
    const wanted: Recorded[] = [];
    for (let each = position + 1; each <= last; each++) {
      const place = placeOf(each);
      const event = this.events[place];
      if (event && isWanted(this.categories[place] ?? '')) wanted.push(event);
    }
    return wanted;
  }

  /** Empties the ring: events up to this position were stored without an answer, so they are in the file only. */
  skipTo(head: number): void {
    if (head <= this.newest) return;
    while (this.oldest <= this.newest) this.dropOldest();
    this.newest = head;
    this.oldest = head + 1;
    this.progress.skipTo(positionOf(head));
  }

  private letGo(): void {
    let upTo = this.newest - SPARE;
    for (const { position } of this.feeds) upTo = Math.min(upTo, position);
    while (this.oldest <= upTo) this.dropOldest();
  }

  private dropOldest(): void {
    const place = placeOf(this.oldest);
    this.characters -= this.sizes[place] ?? 0;
    this.events[place] = undefined;
    this.oldest += 1;
  }
}

function placeOf(position: number): number {
  return position % EVENTS_KEPT;
}
