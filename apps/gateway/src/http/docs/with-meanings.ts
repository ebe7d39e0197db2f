/** A description of what takes one of several words, followed by the meaning of each. */
export function withMeanings<Word extends string>(about: string, meanings: Readonly<Record<Word, string>>): string {
  return [about, ...Object.entries(meanings).map(([word, meaning]) => `- \`${word}\`: ${String(meaning)}`)].join('\n');
}
