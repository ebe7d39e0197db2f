import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { ExpectedRevision } from '@ports/event-store.port';
import { weightOf } from './weight.js';

export interface Folded<State> {
  readonly state: State;
  readonly revision: ExpectedRevision;
}

interface CachedFold {
  readonly folded: Folded<unknown>;
  /** In characters, when it was last weighed. */
  readonly weighed: number;
  /** Characters it may have grown by since. */
  readonly grown: number;
}

const STREAMS_CACHED = 8_000;
/** In characters of their texts: metadata may be 16 KiB each. */
const CHARACTERS_CACHED = 32 * 1_048_576;
/** One heavy state that changes often must not evict all others. */
const MOST_COUNTED = CHARACTERS_CACHED / 8;
/** A fold may grow by this much, or to twice its weight, before it is weighed again. */
const UNWEIGHED = 4_096;

/** The folds of streams in recent use, bounded by number and weight; any of them may be stale or missing at any time. */
@Injectable()
export class FoldCache {
  private readonly folds = new LRUCache<string, CachedFold>({
    max: STREAMS_CACHED,
    maxSize: CHARACTERS_CACHED,
    sizeCalculation: ({ weighed, grown }) => Math.max(1, Math.min(weighed + grown, MOST_COUNTED)),
  });

  get<State>(stream: string): Folded<State> | undefined {
    return this.folds.get(stream)?.folded as Folded<State> | undefined;
  }

  /**
   * Keeps the newer of two folds: a slow reader must not hide what was appended meanwhile. `grownBy` says how many characters
   * were appended to the cached fold; without it the fold is weighed.
   */
  put(stream: string, folded: Folded<unknown>, grownBy = Infinity): void {
    const before = this.folds.get(stream);
    const revision = before?.folded.revision ?? 'none';
    if (revision !== 'none' && (folded.revision === 'none' || folded.revision < revision)) return;
    this.folds.set(stream, weighed(folded, before, grownBy));
  }

  /** Makes room for others. */
  forget(stream: string): void {
    this.folds.delete(stream);
  }
}

/** Weighing visits the whole state: done now and then, it costs little per event. */
function weighed(folded: Folded<unknown>, before: CachedFold | undefined, grownBy: number): CachedFold {
  const grown = before ? before.grown + grownBy : Infinity;
  if (before && grown <= Math.max(UNWEIGHED, before.weighed)) return { folded, weighed: before.weighed, grown };
  return { folded, weighed: weightOf(folded.state), grown: 0 };
}
