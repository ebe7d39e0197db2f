const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(\.\d{1,30})?([Zz]|[+-]\d{2}:\d{2})$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const FIRST_WRITABLE = Date.parse('0000-01-01T00:00:00.000Z');
const LAST_WRITABLE = Date.parse('9999-12-31T23:59:59.999Z');

/** As generated clients write it: seconds may be missing, offsets may be `+0100` or `+01`. */
const LOOSE_DATE_TIME = /^(\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2})(:\d{2}(?:\.\d{1,30})?)?(?:([Zz])|([ +-])(\d{2})(?::?(\d{2}))?)$/;

/** A time in a query: an ISO 8601 date-time with any form of offset, or a date (midnight UTC). Epoch milliseconds, or null. */
export function instantOf(text: string): number | null {
  if (DATE.test(text)) return existing(text, `${text}T00:00:00Z`);
  const [, minute, second = ':00', utc, sign, hours, minutes = '00'] = LOOSE_DATE_TIME.exec(text) ?? [];
  if (minute === undefined) return null;
  // A plus sign that was not percent-encoded arrives as a space.
  return dateTimeOf(minute + second + (utc ?? `${sign === '-' ? '-' : '+'}${hours}:${minutes}`));
}

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

/** RFC 3339 can write only years of four digits. */
export function isWritable(at: number): boolean {
  return at >= FIRST_WRITABLE && at <= LAST_WRITABLE;
}

export function nearestWritable(at: number): number {
  return at >= LAST_WRITABLE ? LAST_WRITABLE : at >= FIRST_WRITABLE ? at : FIRST_WRITABLE;
}

/** JavaScript turns 30 February into a day of March; this refuses it. */
function existing(date: string, text: string): number | null {
  const at = Date.parse(text);
  const midnight = Date.parse(`${date}T00:00:00Z`);
  if (!isWritable(at) || Number.isNaN(midnight)) return null;
  return new Date(midnight).toISOString().startsWith(date) ? at : null;
}
