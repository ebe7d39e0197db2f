import { setImmediate } from 'node:timers';
import { inThisContext } from '@kit/in-this-context';
import type { ReadOptions, Recorded } from '@ports/event-store.port';

const READ_AT_ONCE = 128;
/** Parsing so many characters takes a few milliseconds. */
const MAX_CHARACTERS = 1_000_000;

interface Waiter {
  readonly rank: number;
  readonly read: () => void;
}

/** Limits reading per turn of the event loop: further reads wait for the next turn, short ones first. */
export class ReadScheduler {
  private characters = 0;
  private readonly waiting: Waiter[] = [];
  private longReads = 0;

  get isSpent(): boolean {
    return this.characters >= MAX_CHARACTERS;
  }

  get isCrowded(): boolean {
    return this.waiting.length > 0;
  }

  note(characters: number): void {
    if (characters === 0) return;
    if (this.characters === 0) setImmediate(() => (this.characters = 0));
    this.characters += characters;
  }

  /** All parts of a read share its rank: short reads go first, long ones in order of arrival. */
  rankOf(events: number): number {
    return events <= READ_AT_ONCE ? 0 : ++this.longReads;
  }

  /** Runs `read` in a turn with room, in the caller's async context. Rejects as `read` throws. */
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
      else this.enqueue({ rank, read: inThisContext(now) });
    });
  }

  private enqueue(waiter: Waiter): void {
    if (this.waiting.length === 0) setImmediate(() => this.serve());
    const behind = this.waiting.findIndex(({ rank }) => rank > waiter.rank);
    this.waiting.splice(behind === -1 ? this.waiting.length : behind, 0, waiter);
  }

  private serve(): void {
    // The turn begins here, whichever callback was scheduled first.
    this.characters = 0;
    while (!this.isSpent && this.waiting[0]?.rank === 0) this.waiting.shift()?.read();
    // Each turn includes a part of one long read, however much the short ones read. That read ends before other long ones start: together
    // they would need unbounded memory.
    const long = this.waiting.findIndex(({ rank }) => rank > 0);
    if (long !== -1) this.waiting.splice(long, 1)[0]?.read();
    if (this.waiting.length > 0) setImmediate(() => this.serve());
  }
}

export function partOf({ limit = Infinity }: ReadOptions, before: readonly Recorded[]): number {
  return Math.min(READ_AT_ONCE, limit - before.length);
}

export function isAll(part: readonly Recorded[], all: readonly Recorded[], options: ReadOptions): boolean {
  return part.length < READ_AT_ONCE || partOf(options, all) <= 0;
}
