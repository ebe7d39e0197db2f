import type { ParsedComponents, ParsedResult } from 'chrono-node';
import { casual } from 'chrono-node/en';
import { DateTime, FixedOffsetZone } from 'luxon';
import { MINUTE_MS } from '@ports/time-units';
import { vagueDayIn, withPlainDates } from './dates.js';
import { type Shift, durationsIn } from './durations.js';
import { affirmed, corrections, withoutWindows } from './meant.js';
import {
  type PartOfDay,
  type TimeOfDay,
  type WithParts,
  inPart,
  nearestPart,
  partsOfDayIn,
  withoutGreetings,
} from './part-of-day.js';
import { type Length, beginBesideEnd, rangeOf, wallClock, withPlainMidnight } from './ranges.js';
import { withPlainTimes } from './time-words.js';
import { UNKNOWN, notingZones, zoneNoted } from './zone-behind.js';
import { type ZoneWord, zoneWordIn } from './zones.js';
import { spelledOnce } from './zone-spelling.js';

export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Named by its weekday only, on that very day: when its time has passed, next week's is meant. */
  readonly byWeekday: boolean;
}

/** What a message says about a time; all of it may be missing. */
export interface When {
  readonly day: Day | null;
  /** A day that was named, but could be either of two: nothing is done on a guess. */
  readonly vagueDay: string | null;
  readonly time: TimeOfDay | null;
  /** A time that was named in a zone that nobody can tell. */
  readonly vagueTime: string | null;
  readonly part: PartOfDay | null;
  /** The zone that the time was named in, if it was. */
  readonly zone: string | null;
  /** A point in time that is exact by itself, epoch milliseconds. */
  readonly instant: number | null;
  readonly length: Length | null;
  /** "an hour later" than something. */
  readonly shift: Shift | null;
}

export const NOTHING_SAID: When = {
  day: null,
  vagueDay: null,
  time: null,
  vagueTime: null,
  part: null,
  zone: null,
  instant: null,
  length: null,
  shift: null,
};

// "3 days ago" and "3 days later" are of no use here, and compiling their patterns blocks the process for a quarter second.
const parser = casual.clone();
parser.parsers = parser.parsers.filter(({ constructor }) => !/^ENTimeUnit(?:Ago|Later)/.test(constructor.name));
parser.refiners = parser.refiners.map(notingZones);

/** Of a long message the beginning is read for times: what it takes grows with the length. */
const READ = 2_000;
const ISO_DATE = /\d{4}-\d\d-\d\dT?/g;
function isRelative(parts: ParsedComponents): boolean {
  return [...parts.tags()].includes('result/relativeDateAndTime');
}

function isTwelveHour(parts: ParsedComponents, written: string): boolean {
  return /\b(?:NOON|MIDDAY)\b/.test(written) || (parts.isCertain('meridiem') && /M\b|NOON/.test(written));
}

/** An hour without am and pm is that of the part of the day; without one, a leading nought says it is the morning's. */
function timeOf({ start, text, index }: ParsedResult, { mentions }: WithParts): TimeOfDay | null {
  const [hour, minute] = [start.get('hour') ?? 0, start.get('minute') ?? 0];
  if (hour > 12 || isTwelveHour(start, text)) return { hour, minute };
  const part = nearestPart(mentions, index + text.length);
  if (part === null && /(?<![:.+-])\b0\d/.test(text.replace(ISO_DATE, ''))) return { hour, minute };
  return inPart({ hour, minute, openHour: hour }, part);
}

/** "next week" names no day; "in two weeks" does. */
function isWholeSpan(text: string): boolean {
  return /\b(?:week|month|year)s?$/i.test(text) && !/\d|\b(?:in|from|an?|one|two|three)\b|day/i.test(text);
}

/** A date without a year is the next one, be it today: the parser puts it off for a year once its noon or its time is over. */
function yearOf(parts: ParsedComponents, today: Date): number | null {
  const [year, month, day] = [parts.get('year'), parts.get('month') ?? 1, parts.get('day') ?? 1];
  const isNamed = parts.isCertain('month') && parts.isCertain('day') && !parts.isCertain('year');
  if (year === null || !isNamed) return year;
  const aYearBefore = new Date(year - 1, month - 1, day);
  const isReal = aYearBefore.getMonth() === month - 1;
  const isToCome = aYearBefore >= new Date(today.getFullYear(), today.getMonth(), today.getDate());
  return isReal && isToCome ? year - 1 : year;
}

/** "Tuesday 23 November" when that is a Monday. */
function contradictsItself(parts: ParsedComponents, year: number): boolean {
  const isBoth = parts.isCertain('day') && parts.isCertain('weekday');
  const date = wallClock(parts);
  date.setUTCFullYear(year);
  return isBoth && date.getUTCDay() !== (parts.get('weekday') ?? 0) % 7;
}

function dayOf(parsed: ParsedResult): Day | null {
  const { start, text, refDate } = parsed;
  const isNamed = start.isCertain('day') || start.isCertain('weekday');
  const [year, month, day] = [yearOf(start, refDate), start.get('month'), start.get('day')];
  if (year === null || month === null || day === null) return null;
  if (!isNamed || isWholeSpan(text) || contradictsItself(start, year)) return null;
  const isAhead = new Date(year, month - 1, day) > refDate;
  return { year, month, day, byWeekday: !start.isCertain('day') && !isAhead };
}

function zoneOf({ start }: ParsedResult): string | null {
  const noted = zoneNoted(start);
  if (noted !== null) return noted;
  const offset = start.isCertain('timezoneOffset') ? start.get('timezoneOffset') : null;
  return offset === null ? null : FixedOffsetZone.instance(offset).name;
}

/** What calendar and clock of a zone show at an instant, in epoch milliseconds. */
export function dayAndTime(instant: number, zone: string): { day: Day; time: TimeOfDay } {
  const { year, month, day, hour, minute } = DateTime.fromMillis(instant, { zone: spelledOnce(zone) });
  return { day: { year, month, day, byWeekday: false }, time: { hour, minute } };
}

/** "Monday at 10 or Tuesday at 11": neither is chosen. */
function isChoice(results: readonly ParsedResult[], text: string): boolean {
  return results.some(({ index }, place) => {
    const before = results[place - 1];
    return before !== undefined && /^ or (?:on |at )?$/i.test(text.slice(before.index + before.text.length, index));
  });
}

/** "Room 12 tomorrow at 10am": the number before the day is no time where one follows. */
function isNoTime(first: ParsedResult | undefined, next: ParsedResult | undefined): boolean {
  if (first === undefined || next === undefined || !/^\d{1,2} [A-Z]{3}/.test(first.text)) return false;
  return !/^\d+ ?[AP]\.?M\b/.test(first.text) && next.index - first.index - first.text.length <= 2;
}

function merged(results: readonly ParsedResult[], said: WithParts, { zone, isUnknown }: ZoneWord): When {
  const named = results.filter(({ start }) => start.isCertain('hour'));
  const times = isUnknown ? [] : named.filter((each) => zoneOf(each) !== UNKNOWN);
  const timed = isNoTime(times[0], times[1]) ? times[1] : times[0];
  const part = nearestPart(said.mentions, timed ? timed.index + timed.text.length : said.rest.length);
  const begin = timed ? beginBesideEnd(timed, part) : null;
  return {
    ...NOTHING_SAID,
    day: results.map(dayOf).find((day) => day !== null) ?? null,
    time: timed ? (begin ?? timeOf(timed, said)) : null,
    vagueTime: timed ? null : (named[0]?.text ?? null),
    part,
    zone: timed ? (zone ?? zoneOf(timed)) : null,
    length: timed ? rangeOf(timed, begin) : null,
  };
}

/** The first whole minute from an instant on. */
function wholeMinute(instant: number): number {
  return Math.ceil(instant / MINUTE_MS) * MINUTE_MS;
}

function readPart(text: string, at: number, zone: string): When {
  const now = DateTime.fromMillis(at, { zone: spelledOnce(zone) });
  // The parser computes in the machine's own zone throughout: it gets the zone's wall clock as if it were the machine's.
  const reference = new Date(now.year, now.month - 1, now.day, now.hour, now.minute, now.second, now.millisecond);
  const { rest, minutes, fromNow, shift } = durationsIn(text);
  const zoneWord = zoneWordIn(withoutWindows(withPlainTimes(rest)));
  const parted = partsOfDayIn(withPlainDates(zoneWord.rest, now));
  const legible = withPlainMidnight(parted.rest).toUpperCase();
  const results = parser.parse(legible, reference, { forwardDate: true }).filter(({ start }) => !isRelative(start));
  const read = isChoice(results, legible) ? NOTHING_SAID : merged(results, parted, zoneWord);
  const instant = fromNow !== null && read.time === null ? wholeMinute(at) + fromNow : null;
  const vagueDay = read.day === null ? vagueDayIn(zoneWord.rest, now) : null;
  const length = minutes === null ? read.length : { minutes, byTheClock: false };
  return { ...read, vagueDay, instant, length, shift };
}

/** Reads date and time in ordinary words, said at `at` in `zone`; what may lie in the future does. */
export function readWhen(text: string, at: number, zone: string): When {
  return corrections(affirmed(withoutGreetings(text.slice(0, READ))))
    .map((part) => readPart(part, at, zone))
    .reduce(combine, NOTHING_SAID);
}

/** Later words win; what they leave out stays. */
export function combine(earlier: When, later: When): When {
  const changes = later.day !== null || later.time !== null;
  const isWhole = later.day !== null && later.time !== null;
  const part = later.part ?? (isWhole ? null : earlier.part);
  const time = later.time ?? (later.vagueTime === null ? earlier.time : null);
  return {
    day: later.day ?? (later.vagueDay === null ? earlier.day : null),
    vagueDay: later.vagueDay ?? (later.day === null ? earlier.vagueDay : null),
    time: part === null ? time : inPart(time, part),
    vagueTime: later.vagueTime ?? (later.time === null ? earlier.vagueTime : null),
    part,
    zone: later.time === null ? earlier.zone : later.zone,
    instant: later.instant ?? (changes ? null : earlier.instant),
    length: later.length ?? earlier.length,
    shift: later.shift ?? earlier.shift,
  };
}

/** The moment that day and time name in a zone; of two, in the night that clocks are set back, the first. */
export function momentOf(day: Day, { hour, minute }: TimeOfDay, zone: string, saidAt: number): number {
  const { year, month, day: date } = day;
  const [moment] = DateTime.fromObject({ year, month, day: date, hour, minute }, { zone: spelledOnce(zone) })
    .getPossibleOffsets()
    .toSorted((one, other) => one.toMillis() - other.toMillis());
  if (moment === undefined) return Number.NaN;
  return (day.byWeekday && moment.toMillis() <= saidAt ? moment.plus({ weeks: 1 }) : moment).toMillis();
}

/** An instant moved on the calendar of a zone, where a day may have 23 or 25 hours; both in epoch milliseconds. */
export function shifted(instant: number, shift: Shift, zone: string): number {
  return DateTime.fromMillis(instant, { zone: spelledOnce(zone) })
    .plus(shift)
    .toMillis();
}
