/** Counts code points: an emoji counts as one. */
export function codePointsOf(text: string): number {
  let count = 0;
  for (const _point of text) count++;
  return count;
}

export function isLongerThan(max: number, text: string): boolean {
  if (text.length <= max) return false;
  return text.length > max * 2 || codePointsOf(text) > max;
}

export function beginning(text: string, most: number): string {
  return text.length <= most ? text : [...text].slice(0, most).join('');
}
