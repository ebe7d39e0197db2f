import { setImmediate } from 'node:timers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReadOptions, Recorded } from '@ports/event-store.port';

const READ_AT_ONCE = 128;
/** What takes a few milliseconds to parse. */
const MOST_CHARACTERS = 1_000_000;

/** How much was read in this turn of the event loop: who wants more has to let others have theirs first. */
export class ReadingTurn {
  private characters = 0;

  get over(): boolean {
    return this.characters >= MOST_CHARACTERS;
  }

  note(characters: number): void {
    if (characters === 0) return;
    if (this.characters === 0) setImmediate(() => (this.characters = 0));
    this.characters += characters;
  }

  /** Resolves in a turn in which there is something left to read. */
  async next(): Promise<void> {
    while (this.over) await nextTurn();
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
