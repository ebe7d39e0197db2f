const FIRST = Date.parse('0000-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

/** Whether an instant's year has four digits: RFC 3339 can write no other. */
export function isWritable(at: number): boolean {
  return at >= FIRST && at <= LAST;
}

/** Clamps an instant to the range that RFC 3339 can write. */
export function nearestWritable(at: number): number {
  return at >= LAST ? LAST : at >= FIRST ? at : FIRST;
}
