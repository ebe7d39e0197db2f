import { isWritable } from './nearest-writable.js';

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(\.\d{1,30})?([Zz]|[+-]\d{2}:\d{2})$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Epoch milliseconds of an ISO 8601 date-time with offset, or of a date at midnight UTC; null when it is neither. */
export function instantOf(text: string): number | null {
  return DATE.test(text) ? existing(text, `${text}T00:00:00Z`) : dateTimeOf(text);
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

/** JavaScript turns the 30th of February into a day of March; this refuses it. */
function existing(date: string, text: string): number | null {
  const at = Date.parse(text);
  const midnight = Date.parse(`${date}T00:00:00Z`);
  if (!isWritable(at) || Number.isNaN(midnight)) return null;
  return new Date(midnight).toISOString().startsWith(date) ? at : null;
}
