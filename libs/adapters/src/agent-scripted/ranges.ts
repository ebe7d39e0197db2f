import type { ParsedComponents, ParsedResult } from 'chrono-node';
import { DateTime } from 'luxon';
import { MINUTE_MS } from '@ports/time-units';
import type { PartOfDay, TimeOfDay } from './part-of-day.js';
import { MONTH_BEGINS } from './vocabulary.js';
import { spelledOnce } from './zone-spelling.js';

/** How long something lasts: "for 90 minutes", or by the clock on the wall, as from ten to six. */
export interface Length {
  readonly minutes: number;
  readonly byTheClock: boolean;
}

/** What stands before the "to" of a range, and what behind it. */
interface Sides {
  readonly before: string;
  readonly behind: string;
}

const DAY_MINUTES = 1_440;
const HALF_A_DAY = DAY_MINUTES / 2;

/** A date in figures, with its hyphens and those of an offset. */
const DATE = /\b(?:\d{4}-\d\d-\d\d|\d\d?-(?:\d\d?|[a-z]{3,9})-\d{2,4})(?:T([\d:.]+)(?:[+-]\d\d:?\d\d(?![-\d])|Z)?)?/gi;
const TO = /^(.*)\b(?:to|until|till|til|through)\b(.*)$/is;
const HYPHEN = /^(.*)(?<!\b(?:GMT|UTC|twenty|thirty) ?)[-–—](?!(?<= -)\d\d:?\d\d$)(.*)$/is;
/** In what the parser has taken for a time, which is why the beginning of a word will do. */
const NAMES_DAY = new RegExp(String.raw`\b(?:to(?:day|night|morrow)|mon|tue|wed|thu|fri|sat|sun|${MONTH_BEGINS})`, 'i');
const HALF_NAMED = /\d(?:[ap]\b|\s?[ap]\.?m)/i;
const NOON = /\b(?:noon|midday)\b/i;
/** "20:00", "09:00": who writes so counts the hours up to 24. */
const OF_24_HOURS = /^\D*(?:0\d|1[3-9]|2[0-4])/;
const MORNINGS_HOUR = /(?<![\d:.])0\d(?:[:.]\d\d)*\D*$/;
const END_AT_MIDNIGHT = /(?<=\d(?: ?[ap]\.?m\b\.?)?(?: (?:to|until|till|til|through) | ?[-–—] ?))midnight\b/gi;
const TWELVE = 12;

/** As if it were UTC: the parser's own moment is one of the machine's zone. */
export function wallClock(parts: ParsedComponents): Date {
  const [year, month, day] = [parts.get('year') ?? 0, parts.get('month') ?? 1, parts.get('day') ?? 1];
  return new Date(Date.UTC(year, month - 1, day, parts.get('hour') ?? 0, parts.get('minute') ?? 0));
}

/** The parser takes midnight for the one before, and begins "from 10pm to midnight" there. */
export function withPlainMidnight(text: string): string {
  return text.replace(END_AT_MIDNIGHT, '12am');
}

function sidesOf(text: string): Sides {
  const plain = text.replace(DATE, 'TODAY $1');
  const [, before = plain, behind = ''] = TO.exec(plain) ?? HYPHEN.exec(plain) ?? [];
  return { before, behind };
}

/** "Friday 10am to Saturday 9am"; the day behind "from 9 to 5 on Friday" is that of the whole range. */
function isOfTwoDays({ before, behind }: Sides): boolean {
  return NAMES_DAY.test(before) && NAMES_DAY.test(behind);
}

/** The beginning where only the end tells which half of the day is meant: "from 11 to 1pm", "from 7 to 20"; else null. */
export function beginBesideEnd({ start, end, text }: ParsedResult, part: PartOfDay | null): TimeOfDay | null {
  const sides = sidesOf(text);
  // The parser gives noon the minutes of the end.
  if (end?.isCertain('hour') && NOON.test(sides.before) && !/\d/.test(sides.before)) return { hour: TWELVE, minute: 0 };
  const [hour, minute] = [start.get('hour') ?? 0, start.get('minute') ?? 0];
  const isOpen = start.isCertain('hour') && !start.isCertain('meridiem') && /\d/.test(sides.before);
  if (!isOpen || !end?.isCertain('hour') || isOfTwoDays(sides)) return null;
  const isMorning = part === null || part === 'morning';
  if (OF_24_HOURS.test(sides.behind)) return isMorning ? { hour, minute } : null;
  if (!HALF_NAMED.test(sides.behind)) return null;
  if (MORNINGS_HOUR.test(sides.before)) return { hour: hour % TWELVE, minute };
  const ahead = minutesAhead(wallClock(start), wallClock(end));
  const isNear = ahead > 0 && ahead <= HALF_A_DAY;
  const isLate = hour >= TWELVE && (part === 'evening' || part === 'night');
  return { hour: isNear || isLate ? hour : (hour + TWELVE) % (2 * TWELVE), minute };
}

/** How long "from 10 to 11:30" takes; null where no end is named, or none that can be meant. */
export function rangeOf(parsed: ParsedResult, begin: TimeOfDay | null): Length | null {
  const { start, end, text } = parsed;
  if (!end?.isCertain('hour') || !start.isCertain('hour')) return null;
  const sides = sidesOf(text);
  const from = wallClock(start);
  if (begin !== null) from.setUTCHours(begin.hour, begin.minute);
  const to = endOnTheClock(from, end, sides);
  if (NOON.test(sides.before) && !isOfTwoDays(sides) && minutesAhead(from, to) === 0) return null;
  const isExact =
    isEndExact(from, end, sides) && (begin !== null || start.isCertain('meridiem') || OF_24_HOURS.test(sides.behind));
  const minutes = isOfTwoDays(sides) ? betweenDays(from, to) : byTheClock(from, to, isExact);
  return minutes > 0 ? { minutes, byTheClock: true } : null;
}

/** The parser lifts "07:00" behind "19:00" into the evening, and gives noon the minutes of the beginning. */
function endOnTheClock(from: Date, end: ParsedComponents, { before, behind }: Sides): Date {
  const to = wallClock(end);
  if (NOON.test(behind)) to.setUTCMinutes(0);
  const hour = isOf24Hours(behind) ? Number(/\d\d/.exec(behind)) : Number.NaN;
  if (hour % TWELVE !== to.getUTCHours() % TWELVE) return to;
  const asWritten = new Date(to);
  asWritten.setUTCHours(hour);
  // "From 2pm to 03:00" mixes both ways to tell the time, and means the afternoon.
  return isOf24Hours(before) || minutesAhead(from, asWritten) <= HALF_A_DAY ? asWritten : to;
}

function isOf24Hours(side: string): boolean {
  return OF_24_HOURS.test(side) && !HALF_NAMED.test(side);
}

/** The parser takes a bare twelve for noon, and the end of "8pm to 8" for its beginning. */
function isEndExact(from: Date, end: ParsedComponents, { behind }: Sides): boolean {
  if (HALF_NAMED.test(behind) || NOON.test(behind) || OF_24_HOURS.test(behind)) return true;
  const hour = end.get('hour');
  return end.isCertain('meridiem') && hour !== TWELVE && hour !== from.getUTCHours();
}

/** A day at most; else 0. */
function betweenDays(from: Date, to: Date): number {
  // Past midnight, more than half a year ahead: the parser puts the beginning into the next year and leaves the end in this.
  if (to < from) to.setUTCFullYear(to.getUTCFullYear() + 1);
  const minutes = (to.getTime() - from.getTime()) / MINUTE_MS;
  return minutes <= DAY_MINUTES ? minutes : 0;
}

function minutesAhead(from: Date, to: Date): number {
  const between = (to.getTime() - from.getTime()) / MINUTE_MS;
  return ((between % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;
}

/**
 * To the next time that the clock shows the end; over midnight half a day at most, else 0. The parser's day for an end
 * that names none tells nothing, nor its half of the day: "from 9 to 5" ends in the afternoon.
 */
function byTheClock(from: Date, to: Date, isExact: boolean): number {
  const ahead = minutesAhead(from, to);
  if (ahead === 0 && !isExact) return HALF_A_DAY;
  if (ahead <= HALF_A_DAY) return ahead;
  if (!isExact) return ahead - HALF_A_DAY;
  const begins = from.getUTCHours() * 60 + from.getUTCMinutes();
  return begins + ahead <= DAY_MINUTES ? ahead : 0;
}

/**
 * The minutes between a beginning (epoch milliseconds) and its end. At night an hour of the clock may be missing or come
 * twice: the end is the first such time behind the beginning.
 */
export function minutesFrom(start: number, { minutes, byTheClock }: Length, zone: string): number {
  if (!byTheClock) return minutes;
  const name = spelledOnce(zone);
  const begin = DateTime.fromMillis(start, { zone: name });
  const shown = begin.setZone('utc', { keepLocalTime: true }).plus({ minutes }).setZone(name, { keepLocalTime: true });
  const ends = shown.getPossibleOffsets().filter((each) => each > begin);
  const end = DateTime.min(...ends) ?? shown;
  return Math.max(1, end.diff(begin).as('minutes'));
}
