import { Injectable } from '@nestjs/common';
import type { ExpectedRevision } from '@ports/event-store.port';

export interface Folded<State> {
  readonly state: State;
  readonly revision: ExpectedRevision;
}

interface Kept {
  readonly folded: Folded<unknown>;
  /** In characters. */
  readonly weight: number;
}

const UNKNOWN: Pick<Folded<unknown>, 'revision'> = { revision: 'none' };
const MOST = 8_000;
/** In characters of their texts: metadata may be 16 KiB each. */
const HEAVIEST = 32 * 1_048_576;

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

  /** Keeps the newer of two folds: a slow reader must not hide what was appended meanwhile. */
  put(stream: string, folded: Folded<unknown>): void {
    const young = this.young.get(stream);
    const { revision } = (young ?? this.old.get(stream))?.folded ?? UNKNOWN;
    if (revision !== 'none' && (folded.revision === 'none' || folded.revision < revision)) return;
    this.keep(stream, { folded, weight: countedOf(folded.state) }, young?.weight ?? 0);
  }

  private keep(stream: string, kept: Kept, replaced: number): void {
    this.weight += kept.weight - replaced;
    this.young.set(stream, kept);
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
