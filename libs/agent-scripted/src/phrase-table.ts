import type { Token } from './tokens.js';

interface FoundPhrase<Value> {
  readonly length: number;
  readonly value: Value;
}

/** Phrases, found by their words from the first on. */
export class PhraseTable<Value> {
  private readonly next = new Map<string, PhraseTable<Value>>();
  private value: Value | undefined;

  add(words: readonly string[], value: Value): void {
    const [first, ...rest] = words;
    if (first === undefined) {
      this.value ??= value;
      return;
    }
    const next = this.next.get(first) ?? new PhraseTable<Value>();
    this.next.set(first, next);
    next.add(rest, value);
  }

  /** The longest phrase that begins at a token. */
  longestAt(tokens: readonly Token[], at: number): FoundPhrase<Value> | null {
    let found: FoundPhrase<Value> | null = null;
    let table = this.next.get(tokens[at]?.word ?? '');
    for (let length = 1; table !== undefined; length++) {
      if (table.value !== undefined) found = { length, value: table.value };
      table = table.next.get(tokens[at + length]?.word ?? '');
    }
    return found;
  }
}

/** A table of phrases of words with a space between two. */
export function tableOf<Value>(phrases: Iterable<readonly [string, Value]>): PhraseTable<Value> {
  const table = new PhraseTable<Value>();
  for (const [phrase, value] of phrases) table.add(phrase.split(' '), value);
  return table;
}
