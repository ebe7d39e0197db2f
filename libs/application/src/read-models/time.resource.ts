import { LRUCache } from 'lru-cache';
import { nearestWritable } from '@domain/kernel/instant';

const MS_PER_SECOND = 1_000;
const SECONDS_CACHED = 256;

/** The text of a second up to its decimal point. Formatting a `Date` costs ten times as much, and most times share few seconds. */
const textOfSecond = new LRUCache<number, string>({
  max: SECONDS_CACHED,
  memoMethod: (second) => new Date(second * MS_PER_SECOND).toISOString().slice(0, -'000Z'.length),
});

/** ISO 8601 in UTC with milliseconds; of what was stored outside its years, the nearest time within. */
export function toTime(at: number): string;
export function toTime(at: number | null): string | null;
export function toTime(at: number | null): string | null {
  return at === null ? null : isoOf(at);
}

function isoOf(at: number): string {
  const instant = Math.trunc(nearestWritable(at));
  const second = Math.floor(instant / MS_PER_SECOND);
  const milliseconds = String(instant - second * MS_PER_SECOND).padStart(3, '0');
  return `${textOfSecond.memo(second)}${milliseconds}Z`;
}
