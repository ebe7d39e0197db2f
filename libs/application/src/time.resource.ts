/** ISO 8601 in UTC with milliseconds. */
export function toTime(at: number): string;
export function toTime(at: number | null): string | null;
export function toTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
