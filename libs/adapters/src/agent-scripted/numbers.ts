export const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
export const NUMBER_WORDS = NUMBERS.join('|');
export const NUMBER = `(?:\\d{1,2}|${NUMBER_WORDS})`;

/** Of digits or a word, and one of "a"; NaN of any other word. */
export function numberOf(word: string): number {
  const index = NUMBERS.indexOf(word);
  if (index >= 0) return index + 1;
  return /^an?$/.test(word) ? 1 : Number(word);
}
