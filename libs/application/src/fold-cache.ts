import { Injectable } from '@nestjs/common';
import type { ExpectedRevision } from '@ports/event-store.port';

export interface Folded<State> {
  readonly state: State;
  readonly revision: ExpectedRevision;
}

const MOST = 8_000;
/** In characters of their texts: metadata may be 16 KiB each. */
const HEAVIEST = 32 * 1_048_576;

/**
 * The folds of streams touched last, bounded; any of them may be stale or missing at any time. They are kept in two
 * generations: what is touched moves to the young one, and when that is full, what was not touched meanwhile goes.
 */
@Injectable()
export class FoldCache {
  private young = new Map<string, Folded<unknown>>();
  private old = new Map<string, Folded<unknown>>();
  /** Of the young ones, in characters. */
  private weight = 0;

  get<State>(stream: string): Folded<State> | undefined {
    const young = this.young.get(stream);
    if (young) return young as Folded<State>;
    const old = this.old.get(stream);
    if (old) this.keep(stream, old);
    return old as Folded<State> | undefined;
  }

  /** Keeps the newer of two folds: a slow reader must not hide what was appended meanwhile. */
  put(stream: string, folded: Folded<unknown>): void {
    const known = this.young.get(stream) ?? this.old.get(stream);
    if (known && known.revision !== 'none' && (folded.revision === 'none' || folded.revision < known.revision)) return;
    this.keep(stream, folded);
  }

  private keep(stream: string, folded: Folded<unknown>): void {
    const replaced = this.young.get(stream);
    this.weight += countedOf(folded.state) - (replaced ? countedOf(replaced.state) : 0);
    this.young.set(stream, folded);
    if (this.young.size < MOST / 2 && this.weight < HEAVIEST / 2) return;
    this.old = this.young;
    this.young = new Map();
    this.weight = 0;
  }
}

/** One heavy state alone must not drive the others out, each time that it changes. */
function countedOf(state: unknown): number {
  return Math.min(weightOf(state), HEAVIEST / 8);
}

/** Of the texts that a state holds, in lists too, whose first member stands for all; the rest is small. */
function weightOf(state: unknown): number {
  let characters = 0;
  for (const name in state as object) {
    const value = (state as Record<string, unknown>)[name];
    if (typeof value === 'string') characters += value.length;
    else if (Array.isArray(value)) characters += value.length * weightOf(value[0]);
  }
  return characters;
}
