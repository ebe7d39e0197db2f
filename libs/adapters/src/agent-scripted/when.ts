import { casual } from 'chrono-node/en';
import { DateTime } from 'luxon';
import { NUMBER, type Shift, afternoon, lengthsOf, numberOf, rewritten } from './time-words.js';

export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Named by its weekday only: when its time has passed, next week's is meant. */
  readonly byWeekday: boolean;
}

export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
}

/** What a message says about a time; all of it may be missing. */
export interface When {
  readonly day: Day | null;
  readonly time: TimeOfDay | null;
  /** A point in time that is exact by itself, epoch milliseconds. */
  readonly instant: number | null;
  readonly minutes: number | null;
  /** "an hour later" than something. */
  readonly shift: Shift | null;
}

export const NOTHING_SAID: When = { day: null, time: null, instant: null, minutes: null, shift: null };

// "3 days ago" and "3 days later" are of no use here, and compiling their patterns blocks the process for a quarter second.
const parser = casual.clone();
parser.parsers = parser.parsers.filter(({ constructor }) => !/^ENTimeUnit(?:Ago|Later)/.test(constructor.name));

type Parsed = ReturnType<typeof parser.parse>[number];
type Parts = Parsed['start'];

function isRelative(parts: Parts): boolean {
  return [...parts.tags()].includes('result/relativeDateAndTime');
}

/** One to six without am, pm or minutes is an afternoon. */
function hourOf(parts: Parts, written: string): number {
  const hour = parts.get('hour') ?? 0;
  const isBare = !parts.isCertain('meridiem') && !/\d[:.]\d\d|\b0\d/.test(written);
  return isBare ? afternoon(hour) : hour;
}

/** "next week" names no day; "in two weeks" does. */
function isWholeSpan(text: string): boolean {
  return /\b(?:week|month|year)s?$/i.test(text) && !/\d|\b(?:in|from|an?|one|two|three)\b|day/i.test(text);
}

function dayOf(parsed: Parsed): Day | null {
  const { start, text } = parsed;
  const isNamed = start.isCertain('day') || start.isCertain('weekday');
  if (!isNamed || isWholeSpan(text)) return null;
  const [year, month, day] = [start.get('year'), start.get('month'), start.get('day')];
  if (year === null || month === null || day === null) return null;
  return { year, month, day, byWeekday: !start.isCertain('day') };
}

function exactInstant(parsed: Parsed, reference: Date, at: number): number | null {
  if (!parsed.start.isCertain('timezoneOffset')) return null;
  const time = parsed.start.date().getTime();
  return isRelative(parsed.start) ? at + (time - reference.getTime()) : time;
}

function rangeMinutes({ start, end }: Parsed): number | null {
  if (!end?.isCertain('hour') || !start.isCertain('hour')) return null;
  const minutes = Math.round((end.date().getTime() - start.date().getTime()) / 60_000);
  return minutes > 0 && minutes <= 720 ? minutes : null;
}

function localParts(instant: number, zone: string): { day: Day; time: TimeOfDay } {
  const { year, month, day, hour, minute } = DateTime.fromMillis(instant, { zone });
  return { day: { year, month, day, byWeekday: false }, time: { hour, minute } };
}

function merged(results: readonly Parsed[], reference: Date, at: number, zone: string): When {
  const exact = results.map((parsed) => exactInstant(parsed, reference, at)).find((instant) => instant !== null);
  if (exact !== undefined && exact !== null) return { ...NOTHING_SAID, ...localParts(exact, zone), instant: exact };
  const timed = results.find(({ start }) => start.isCertain('hour'));
  return {
    ...NOTHING_SAID,
    day: results.map(dayOf).find((day) => day !== null) ?? null,
    time: timed ? { hour: hourOf(timed.start, timed.text), minute: timed.start.get('minute') ?? 0 } : null,
    minutes: timed ? rangeMinutes(timed) : null,
  };
}

/** "10", "10 please", "about 10", said when only the time was asked for. */
export function readBareHour(text: string): TimeOfDay | null {
  const match = new RegExp(
    `^(?:(?:at|around|about|maybe|let's say|say|by)? ?)(${NUMBER})(?:[ .:]?(\\d\\d))?(?: please| works| is fine| thanks)*[.! ]*$`,
  ).exec(text);
  if (match === null) return null;
  const hour = numberOf(match[1] ?? '');
  const minute = Number(match[2] ?? 0);
  if (hour > 23 || minute > 59) return null;
  return { hour: match[2] === undefined ? afternoon(hour) : hour, minute };
}

/** Reads date and time in ordinary words, said at `at` in `zone`; what may lie in the future does. */
export function readWhen(text: string, at: number, zone: string): When {
  const now = DateTime.fromMillis(at, { zone });
  // The parser computes in the machine's own zone throughout: it gets the zone's wall clock as if it were the machine's.
  const reference = new Date(now.year, now.month - 1, now.day, now.hour, now.minute, now.second, now.millisecond);
  const { rest, minutes, shift } = lengthsOf(text);
  const results = parser.parse(rewritten(rest, now).toUpperCase(), reference, { forwardDate: true });
  const read = merged(results, reference, at, zone);
  return { ...read, minutes: minutes ?? read.minutes, shift };
}

/** Later words win; what they leave out stays. */
export function combine(earlier: When, later: When): When {
  const changes = later.day !== null || later.time !== null;
  return {
    day: later.day ?? earlier.day,
    time: later.time ?? earlier.time,
    instant: later.instant ?? (changes ? null : earlier.instant),
    minutes: later.minutes ?? earlier.minutes,
    shift: later.shift ?? earlier.shift,
  };
}

/** The moment that day and time name in a zone; of two, in the night that clocks are set back, the first. */
export function momentOf(day: Day, time: TimeOfDay, zone: string, now: number): number {
  const { year, month, day: date } = day;
  const [moment] = DateTime.fromObject({ year, month, day: date, ...time }, { zone })
    .getPossibleOffsets()
    .toSorted((one, other) => one.toMillis() - other.toMillis());
  if (moment === undefined) return Number.NaN;
  return (day.byWeekday && moment.toMillis() <= now ? moment.plus({ weeks: 1 }) : moment).toMillis();
}

export function shifted(instant: number, shift: Shift, zone: string): number {
  return DateTime.fromMillis(instant, { zone }).plus(shift).toMillis();
}

export function dayAndTime(instant: number, zone: string): { day: Day; time: TimeOfDay } {
  return localParts(instant, zone);
}
