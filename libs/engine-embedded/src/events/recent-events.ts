import type { Recorded } from '@ports/event-store.port';
import { categoryOf } from '@ports/stream-name';

const EVENTS_KEPT = 8_192;
const CHARACTERS_KEPT = 8 * 1024 * 1024;
/** Kept though every feed has read them: one that begins anew is mostly not far behind. */
const SPARE = 64;
const LETS_GO_EVERY = 32;

/** How far a feed has read. */
export interface FeedPlace {
  position: number;
}

/**
 * The newest committed events, without gaps, shared by every feed; older ones are read from the file. What all feeds have
 * read goes at once: it would grow old here, and cost the collector as much as what is kept for good.
 */
export class RecentEvents {
  private readonly feeds = new Set<FeedPlace>();
  // In a ring, each where its position leads: lists that grow and are cut off at their beginning are made anew all the time.
  private readonly events = new Array<Recorded | undefined>(EVENTS_KEPT).fill(undefined);
  /** Of their streams: every feed asks for them. */
  private readonly categories = new Array<string>(EVENTS_KEPT).fill('');
  private readonly sizes = new Uint32Array(EVENTS_KEPT);
  private oldest: number;
  private characters = 0;

  constructor(private newest: number) {
    this.oldest = newest + 1;
  }

  /** The position of the newest committed event. */
  get head(): number {
    return this.newest;
  }

  /** Everything after this position is here. */
  get floor(): number {
    return this.oldest - 1;
  }

  /** A feed begins; it says in its place how far it has read. */
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
    this.events[place] = event;
    this.categories[place] = categoryOf(event.stream);
    this.sizes[place] = characters;
    this.characters += characters;
    while (this.characters > CHARACTERS_KEPT) this.dropOldest();
    if (this.newest % LETS_GO_EVERY === 0) this.letGo();
  }

  /** Of at most `limit` events after a position that is not below the floor those of wanted categories. */
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

  /** What was stored though nobody was told so is not at hand: everything begins anew behind it. */
  skipTo(head: number): void {
    if (head <= this.newest) return;
    while (this.oldest <= this.newest) this.dropOldest();
    this.newest = head;
    this.oldest = head + 1;
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
