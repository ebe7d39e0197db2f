import { nearestWritable } from '@domain/kernel/writable-instant';

let second = NaN;
let prefix = '';

/** ISO 8601 in UTC with milliseconds; of what was stored outside its years, the nearest time within. */
export function toTime(at: number): string;
export function toTime(at: number | null): string | null;
export function toTime(at: number | null): string | null {
  return at === null ? null : isoOf(at);
}

/** Most times of an answer lie in the same second, whose text is remembered. */
function isoOf(at: number): string {
  const millisecond = at % 1000;
  if (at - millisecond !== second) {
    const writable = nearestWritable(at);
    const text = new Date(writable).toISOString();
    if (writable !== at || !Number.isInteger(at) || at < 0) return text;
    second = at - millisecond;
    prefix = text.slice(0, -4);
  }
  return `${prefix}${millisecond > 99 ? '' : millisecond > 9 ? '0' : '00'}${millisecond}Z`;
}
