const FIRST = Date.parse('0000-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether an instant has a year of four digits: no other can be written as a date-time of RFC 3339. */
export function isWritable(at: number): boolean {
  return at >= FIRST && at <= LAST;
}

/** The instant itself, or the nearest one that can be written. */
export function nearestWritable(at: number): number {
  return at >= LAST ? LAST : at >= FIRST ? at : FIRST;
}
