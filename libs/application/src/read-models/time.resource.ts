import { nearestWritable } from '@domain/kernel/writable-instant';

/** Times of answers and events lie in few seconds: those told last, by their number. */
const KEPT = 256;
const seconds = new Float64Array(KEPT).fill(NaN);
const prefixes: string[] = Array<string>(KEPT).fill('');

/** ISO 8601 in UTC with milliseconds; of what was stored outside its years, the nearest time within. */
export function toTime(at: number): string;
export function toTime(at: number | null): string | null;
export function toTime(at: number | null): string | null {
  return at === null ? null : isoOf(at);
}

function isoOf(at: number): string {
  const millisecond = at % 1000;
  const second = (at - millisecond) / 1000;
  const place = second % KEPT;
  if (seconds[place] !== second || at < 0 || !Number.isInteger(at)) {
    const writable = nearestWritable(at);
    const text = new Date(writable).toISOString();
    if (writable !== at || !Number.isInteger(at) || at < 0) return text;
    seconds[place] = second;
    prefixes[place] = text.slice(0, -4);
  }
  return `${prefixes[place]}${millisecond > 99 ? '' : millisecond > 9 ? '0' : '00'}${millisecond}Z`;
}
