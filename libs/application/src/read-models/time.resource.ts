import { nearestWritable } from '@domain/kernel/instant';

/** ISO 8601 in UTC with milliseconds; a stored time outside the valid years becomes the nearest valid one. */
export function toTime(at: number): string;
export function toTime(at: number | null): string | null;
export function toTime(at: number | null): string | null {
  return at === null ? null : new Date(nearestWritable(at)).toISOString();
}
