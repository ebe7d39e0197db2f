import { AsyncResource } from 'node:async_hooks';
import { setImmediate } from 'node:timers';
import type { ReadOptions, Recorded } from '@ports/event-store.port';

const READ_AT_ONCE = 128;
/** In characters: parsing this much takes a few milliseconds. */
const MAX_CHARACTERS = 1_000_000;

interface Waiter {
  readonly rank: number;
  readonly read: () => void;
}

/** Bounds how much is read in one turn of the event loop: further reads wait for the next turn, short ones first. */
export class ReadScheduler {
  private characters = 0;
  /** By rank, then in order of arrival. */
  private readonly waiting: Waiter[] = [];
  private longReads = 0;

  /** Whether this turn has read as much as it may. */
  get isSpent(): boolean {
    return this.characters >= MAX_CHARACTERS;
  }

  /** Whether others wait for what this turn may still read. */
  get isCrowded(): boolean {
    return this.waiting.length > 0;
  }

  /** Counts characters that were read. */
  note(characters: number): void {
    if (characters === 0) return;
    if (this.characters === 0) setImmediate(() => (this.characters = 0));
    this.characters += characters;
  }

  /** The rank of a read of so many events. All its parts carry it: short reads go first, long ones in order of arrival. */
  rankOf(events: number): number {
    return events <= READ_AT_ONCE ? 0 : ++this.longReads;
  }

  /** Calls `read` in a turn that may still read, and in the caller's async context. Rejects as `read` throws. */
  next<T>(rank: number, read: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const now = () => {
        try {
          resolve(read());
        } catch (error) {
          reject(error as Error);
        }
      };
      if (this.waiting.length === 0 && !this.isSpent) now();
      else this.enqueue({ rank, read: AsyncResource.bind(now) });
    });
  }

  private enqueue(waiter: Waiter): void {
    if (this.waiting.length === 0) setImmediate(() => this.serve());
    const behind = this.waiting.findIndex(({ rank }) => rank > waiter.rank);
    this.waiting.splice(behind === -1 ? this.waiting.length : behind, 0, waiter);
  }

  private serve(): void {
    // The turn begins here, whichever of its callbacks was scheduled first.
    this.characters = 0;
    while (!this.isSpent && this.waiting[0]?.rank === 0) this.waiting.shift()?.read();
    // One part of a long read goes in every turn, however much the short ones read. The same read goes on before other
    // long ones start: together they would need memory without bound.
    const long = this.waiting.findIndex(({ rank }) => rank > 0);
    if (long !== -1) this.waiting.splice(long, 1)[0]?.read();
    if (this.waiting.length > 0) setImmediate(() => this.serve());
  }
}

/** How many of the events that are asked for are read next, after those read before. */
export function partOf({ limit = Infinity }: ReadOptions, before: readonly Recorded[]): number {
  return Math.min(READ_AT_ONCE, limit - before.length);
}

/** Whether nothing is left to read after this part, the last of all. */
export function isAll(part: readonly Recorded[], all: readonly Recorded[], options: ReadOptions): boolean {
  return part.length < READ_AT_ONCE || partOf(options, all) <= 0;
}
