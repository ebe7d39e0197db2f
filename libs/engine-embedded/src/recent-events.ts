import type { Recorded } from '@ports/event-store.port';
import { categoryOf } from '@ports/stream-name';

const EVENTS_KEPT = 8192;
const DROPPED_AT_ONCE = 1024;
const CHARACTERS_KEPT = 8 * 1024 * 1024;

/** The newest committed events, without gaps, shared by every feed; older ones are read from the file. */
export class RecentEvents {
  private events: Recorded[] = [];
  /** Of their streams: every feed asks for them. */
  private categories: string[] = [];
  private sizes: number[] = [];
  private start = 0;
  private characters = 0;

  constructor(private newest: number) {}

  /** The position of the newest committed event. */
  get head(): number {
    return this.newest;
  }

  /** Everything after this position is here. */
  get floor(): number {
    return this.newest - this.kept;
  }

  private get kept(): number {
    return this.events.length - this.start;
  }

  add(event: Recorded, characters: number): void {
    this.events.push(event);
    this.categories.push(categoryOf(event.stream));
    this.sizes.push(characters);
    this.characters += characters;
    this.newest += 1;
    while (this.kept > EVENTS_KEPT || this.characters > CHARACTERS_KEPT) this.dropOldest();
    // Of large events few are kept: what was dropped must not outgrow them.
    if (this.start > Math.min(DROPPED_AT_ONCE, this.kept)) this.compact();
  }

  /** Of at most `limit` events after a position that is not below the floor those of wanted categories. */
  after(position: number, limit: number, isWanted: (category: string) => boolean): readonly Recorded[] {
    const from = this.start + (position - this.floor);
    const end = Math.min(from + limit, this.events.length);
    const wanted: Recorded[] = [];
    for (let index = from; index < end; index++) {
      const event = this.events[index];
      if (event && isWanted(this.categories[index] ?? '')) wanted.push(event);
    }
    return wanted;
  }

  /** What was stored though nobody was told so is not at hand: everything begins anew behind it. */
  skipTo(head: number): void {
    if (head <= this.newest) return;
    this.events = [];
    this.categories = [];
    this.sizes = [];
    this.start = 0;
    this.characters = 0;
    this.newest = head;
  }

  private dropOldest(): void {
    this.characters -= this.sizes[this.start] ?? 0;
    this.start += 1;
  }

  private compact(): void {
    this.events = this.events.slice(this.start);
    this.categories = this.categories.slice(this.start);
    this.sizes = this.sizes.slice(this.start);
    this.start = 0;
  }
}
