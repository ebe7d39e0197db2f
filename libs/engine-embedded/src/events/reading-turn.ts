import { setImmediate } from 'node:timers';
import type { ReadOptions, Recorded } from '@ports/event-store.port';

const READ_AT_ONCE = 128;
/** What takes a few milliseconds to parse. */
const MOST_CHARACTERS = 1_000_000;

interface Waiter {
  readonly rank: number;
  readonly read: () => void;
}

/** How much was read in this turn of the event loop: who wants more has to let others have theirs first. */
export class ReadingTurn {
  private characters = 0;
  /** By rank, then as they came. */
  private readonly waiting: Waiter[] = [];
  private longReads = 0;

  get over(): boolean {
    return this.characters >= MOST_CHARACTERS;
  }

  /** Whether others wait for what is left to read. */
  get crowded(): boolean {
    return this.waiting.length > 0;
  }

  note(characters: number): void {
    if (characters === 0) return;
    if (this.characters === 0) setImmediate(() => (this.characters = 0));
    this.characters += characters;
  }

  /** The rank of a read of so many events, all of whose parts bear it: short reads before long ones, those as they came. */
  rankOf(events: number): number {
    return events <= READ_AT_ONCE ? 0 : ++this.longReads;
  }

  /** Reads in a turn in which there is something left to read. */
  next<T>(rank: number, read: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const now = () => {
        try {
          resolve(read());
        } catch (error) {
          reject(error as Error);
        }
      };
      if (this.waiting.length === 0 && !this.over) now();
      else this.enqueue({ rank, read: now });
    });
  }

  private enqueue(waiter: Waiter): void {
    if (this.waiting.length === 0) setImmediate(() => this.serve());
    const behind = this.waiting.findIndex(({ rank }) => rank > waiter.rank);
    this.waiting.splice(behind === -1 ? this.waiting.length : behind, 0, waiter);
  }

  private serve(): void {
    // The turn begins here, whichever of its callbacks was put down first.
    this.characters = 0;
    while (!this.over && this.waiting[0]?.rank === 0) this.waiting.shift()?.read();
    // One part in every turn, however much the short ones read. Its next part comes before the other long reads: the
    // memory that they need together would have no bound.
    const long = this.waiting.findIndex(({ rank }) => rank > 0);
    if (long !== -1) this.waiting.splice(long, 1)[0]?.read();
    if (this.waiting.length > 0) setImmediate(() => this.serve());
  }
}

/** How much of what is asked for is read next. */
export function partOf({ limit = Infinity }: ReadOptions, before: readonly Recorded[]): number {
  return Math.min(READ_AT_ONCE, limit - before.length);
}

/** Whether nothing is left to read behind this part, the last of all. */
export function isAll(part: readonly Recorded[], all: readonly Recorded[], options: ReadOptions): boolean {
  return part.length < READ_AT_ONCE || partOf(options, all) <= 0;
}
