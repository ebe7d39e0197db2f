export function withMeanings<Word extends string>(about: string, meanings: Readonly<Record<Word, string>>): string {
  return [about, ...Object.entries(meanings).map(([word, meaning]) => `- \`${word}\`: ${String(meaning)}`)].join('\n');
}
