/** How many characters a text has: code points, so that an emoji is one. */
export function codePointsOf(text: string): number {
  let count = 0;
  for (const _point of text) count++;
  return count;
}

/** Whether a text has more characters than that. */
export function isLongerThan(max: number, text: string): boolean {
  if (text.length <= max) return false;
  return text.length > max * 2 || codePointsOf(text) > max;
}

/** The beginning of a text: so many characters at most, and never half of one. */
export function beginning(text: string, most: number): string {
  return text.length <= most ? text : [...text].slice(0, most).join('');
}
