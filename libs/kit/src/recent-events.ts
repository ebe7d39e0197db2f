import { KeyedProgress } from './keyed-progress.js';

const MAX_EVENTS = 8_192;
const MAX_CHARACTERS = 8 * 1024 * 1024;

/** The newest events of a log, without gaps, shared by every feed of the process. Older ones are read from the store. */
export class RecentEvents<Event extends { readonly position: string }> {
  private events: Event[] = [];
  private sizes: number[] = [];
  /** The index of the oldest event. The array is trimmed once half of it is dropped: trimming copies. */
  private first = 0;
  private characters = 0;
  private oldest: string;
  private readonly progress: KeyedProgress;

  /** `newest`: the log is known up to here, and added events come after. `categoryOf`: for `headOf`. */
  constructor(
    private newest: string,
    private readonly categoryOf: (event: Event) => string,
  ) {
    this.oldest = newest;
    this.progress = new KeyedProgress(newest);
  }

  /** Every event after this position is in memory. */
  get floor(): string {
    return this.oldest;
  }

  get upTo(): string {
    return this.newest;
  }

  /** The position of the newest event of these categories up to `upTo`; a later one if unknown. */
  headOf(categories: readonly string[]): string {
    return this.progress.furthest(categories);
  }

  add(event: Event, characters: number): void {
    this.events.push(event);
    this.sizes.push(characters);
    this.characters += characters;
    this.newest = event.position;
    this.progress.note(this.categoryOf(event), event.position);
    while (this.events.length - this.first > MAX_EVENTS || this.characters > MAX_CHARACTERS) this.dropOldest();
  }

  /** All events up to this position were added. */
  reach(position: string): void {
    this.newest = position;
  }

  /** Events up to this position exist only in the store. */
  skipTo(position: string): void {
    while (this.first < this.events.length) this.dropOldest();
    this.newest = this.oldest = position;
    this.progress.skipTo(position);
  }

  /** The events after a position, which must not be below the floor. */
  after(position: string, count: number): { readonly events: Event[]; readonly upTo: string; readonly isLast: boolean } {
    const from = this.indexAfter(position);
    const events = this.events.slice(from, from + count);
    const isLast = from + count >= this.events.length;
    return { events, upTo: isLast ? this.newest : (events.at(-1)?.position ?? this.newest), isLast };
  }

  private dropOldest(): void {
    const dropped = this.events[this.first];
    this.characters -= this.sizes[this.first] ?? 0;
    this.oldest = dropped?.position ?? this.oldest;
    this.first += 1;
    if (this.first * 2 < this.events.length) return;
    this.events = this.events.slice(this.first);
    this.sizes = this.sizes.slice(this.first);
    this.first = 0;
  }

  private indexAfter(position: string): number {
    let [low, high] = [this.first, this.events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.events[middle]?.position ?? '') <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
