import { nearestWritable } from '@domain/kernel/instant';

/** ISO 8601 in UTC with milliseconds; of what was stored outside its years, the nearest time within. */
export function toTime(at: number): string;
export function toTime(at: number | null): string | null;
export function toTime(at: number | null): string | null {
  return at === null ? null : new Date(nearestWritable(at)).toISOString();
}
