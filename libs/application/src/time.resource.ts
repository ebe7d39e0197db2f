let second = NaN;
let prefix = '';

/** ISO 8601 in UTC with milliseconds. */
export function toTime(at: number): string;
export function toTime(at: number | null): string | null;
export function toTime(at: number | null): string | null {
  return at === null ? null : isoOf(at);
}

/** Most times of an answer lie in the same second, whose text is remembered. */
function isoOf(at: number): string {
  const millisecond = at % 1000;
  if (at - millisecond !== second) {
    const text = new Date(at).toISOString();
    if (!Number.isInteger(at) || at < 0) return text;
    second = at - millisecond;
    prefix = text.slice(0, -4);
  }
  return `${prefix}${millisecond > 99 ? '' : millisecond > 9 ? '0' : '00'}${millisecond}Z`;
}
