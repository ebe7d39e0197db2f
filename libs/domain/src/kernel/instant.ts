const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(\.\d{1,30})?([Zz]|[+-]\d{2}:\d{2})$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const FIRST_WRITABLE = Date.parse('0000-01-01T00:00:00.000Z');
const LAST_WRITABLE = Date.parse('9999-12-31T23:59:59.999Z');

/** A date-time as generated clients write it too: without seconds that are zero, with `+0100` or `+01` for an offset. */
const LOOSE_DATE_TIME = /^(\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2})(:\d{2}(?:\.\d{1,30})?)?(?:([Zz])|([ +-])(\d{2})(?::?(\d{2}))?)$/;

/**
 * Epoch milliseconds of a time in a query: an ISO 8601 date-time with an offset in any of its forms, or a date at midnight
 * UTC; null when it is neither.
 */
export function instantOf(text: string): number | null {
  if (DATE.test(text)) return existing(text, `${text}T00:00:00Z`);
  const [, minute, second = ':00', utc, sign, hours, minutes = '00'] = LOOSE_DATE_TIME.exec(text) ?? [];
  if (minute === undefined) return null;
  // A plus sign that was not percent-encoded arrives as a space.
  return dateTimeOf(minute + second + (utc ?? `${sign === '-' ? '-' : '+'}${hours}:${minutes}`));
}

/** Epoch milliseconds of an ISO 8601 date-time with offset; null for anything else, and outside the years 0000 to 9999. */
export function dateTimeOf(text: string): number | null {
  // A plus sign that was not percent-encoded arrives as a space.
  const [, date, time = '', fraction = '', offset = ''] = DATE_TIME.exec(text.replace(/ (?=\d{2}:\d{2}$)/, '+')) ?? [];
  if (date === undefined) return null;
  const leapless = time.replace(/:60$/, ':59');
  return existing(date, `${date}T${leapless}${fraction.slice(0, 4)}${offset.toUpperCase()}`);
}

/** Whether a time has digits finer than the milliseconds it is parsed to. */
export function isFinerThanRead(text: string): boolean {
  return /\.\d{3}\d*[1-9]/.test(text);
}

/** Whether an instant's year has four digits: RFC 3339 can write no other. */
export function isWritable(at: number): boolean {
  return at >= FIRST_WRITABLE && at <= LAST_WRITABLE;
}

/** Clamps an instant to the range that RFC 3339 can write. */
export function nearestWritable(at: number): number {
  return at >= LAST_WRITABLE ? LAST_WRITABLE : at >= FIRST_WRITABLE ? at : FIRST_WRITABLE;
}

/** JavaScript turns the 30th of February into a day of March; this refuses it. */
function existing(date: string, text: string): number | null {
  const at = Date.parse(text);
  const midnight = Date.parse(`${date}T00:00:00Z`);
  if (!isWritable(at) || Number.isNaN(midnight)) return null;
  return new Date(midnight).toISOString().startsWith(date) ? at : null;
}
