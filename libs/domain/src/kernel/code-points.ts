/** Text is counted in code points, so that an emoji is one character. */
export function isLongerThan(max: number, text: string): boolean {
  if (text.length <= max) return false;
  if (text.length > max * 2) return true;
  let count = 0;
  for (const _point of text) count++;
  return count > max;
}

/** The beginning of a text: so many characters at most, and never half of one. */
export function beginning(text: string, most: number): string {
  return text.length <= most ? text : [...text].slice(0, most).join('');
}
