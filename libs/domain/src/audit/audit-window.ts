const AUDIT_WINDOW_DAYS = 90;

const DAY_MS = 24 * 3_600_000;
export const AUDIT_WINDOW_MS = AUDIT_WINDOW_DAYS * DAY_MS;

/** The UTC day of an instant (epoch milliseconds), such as `2026-03-01`. */
export function auditDayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** When a day's entries are removed: once the last of them is ninety days old. */
export function auditRetireAt(at: number): number {
  return (Math.floor(at / DAY_MS) + 1) * DAY_MS + AUDIT_WINDOW_MS;
}
