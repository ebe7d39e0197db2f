import { Injectable } from '@nestjs/common';
import type { ExpectedRevision } from '@ports/event-store.port';
import { weightOf } from './weight.js';

export interface Folded<State> {
  readonly state: State;
  readonly revision: ExpectedRevision;
}

interface Kept {
  readonly folded: Folded<unknown>;
  /** In characters, when it was weighed last. */
  readonly weighed: number;
  /** By how many characters it may have grown since. */
  readonly grown: number;
}

const UNKNOWN: Pick<Folded<unknown>, 'revision'> = { revision: 'none' };
const MOST = 8_000;
/** In characters of their texts: metadata may be 16 KiB each. */
const HEAVIEST = 32 * 1_048_576;
/** So much it may always grow by until it is weighed again; one that is heavier may double. */
const UNWEIGHED = 4_096;

/**
 * The folds of streams touched last, bounded; any of them may be stale or missing at any time. They are kept in two
 * generations: what is touched moves to the young one, and when that is full, what was not touched meanwhile goes.
 */
@Injectable()
export class FoldCache {
  private young = new Map<string, Kept>();
  private old = new Map<string, Kept>();
  /** Of the young ones, in characters. */
  private weight = 0;

  get<State>(stream: string): Folded<State> | undefined {
    const young = this.young.get(stream);
    if (young) return young.folded as Folded<State>;
    const old = this.old.get(stream);
    if (old) this.keep(stream, old, 0);
    return old?.folded as Folded<State> | undefined;
  }

  /**
   * Keeps the newer of two folds: a slow reader must not hide what was appended meanwhile. `grownBy` says how many characters
   * were appended to what is kept; without it the fold is weighed.
   */
  put(stream: string, folded: Folded<unknown>, grownBy = Infinity): void {
    const young = this.young.get(stream);
    const before = young ?? this.old.get(stream);
    const { revision } = before?.folded ?? UNKNOWN;
    if (revision !== 'none' && (folded.revision === 'none' || folded.revision < revision)) return;
    this.keep(stream, weighed(folded, before, grownBy), young ? countedOf(young) : 0);
  }

  /** Makes room for others. */
  forget(stream: string): void {
    const young = this.young.get(stream);
    if (young) this.weight -= countedOf(young);
    this.young.delete(stream);
    this.old.delete(stream);
  }

  private keep(stream: string, kept: Kept, replaced: number): void {
    this.weight += countedOf(kept) - replaced;
    this.young.set(stream, kept);
    if (this.young.size < MOST / 2 && this.weight < HEAVIEST / 2) return;
    this.old = this.young;
    this.young = new Map();
    this.weight = 0;
  }
}

/** One heavy state alone must not drive the others out, each time that it changes. */
function countedOf({ weighed, grown }: Kept): number {
  return Math.min(weighed + grown, HEAVIEST / 8);
}

/** To weigh a fold takes time for all that it holds: done now and then, it costs a little for each event. */
function weighed(folded: Folded<unknown>, before: Kept | undefined, grownBy: number): Kept {
  const grown = before ? before.grown + grownBy : Infinity;
  if (before && grown <= Math.max(UNWEIGHED, before.weighed)) return { folded, weighed: before.weighed, grown };
  return { folded, weighed: weightOf(folded.state), grown: 0 };
}
