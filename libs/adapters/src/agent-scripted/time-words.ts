import type { DateTime } from 'luxon';

const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
export const NUMBER = `(?:\\d{1,2}|${NUMBERS.join('|')})`;
const PAST_OR_TO = new RegExp(`\\b(half past|quarter past|quarter to) (${NUMBER})\\b( ?[ap]\\.?m)?`, 'g');
const AMOUNTS = `\\d{1,3}|an?|half an|${NUMBERS.join('|')}`;
const AMOUNT = `(${AMOUNTS})`;
const UNIT_MS: Record<string, number> = { min: 60_000, hour: 3_600_000 };
const UNIT_DAYS: Record<string, number> = { day: 1, week: 7 };
const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const FROM_A_DAY = new RegExp(`\\b${AMOUNT} (day|week)s? from (tomorrow|${WEEKDAYS.join('|')})\\b`, 'g');
const MONTH = '(?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)';

export function numberOf(word: string): number {
  const index = NUMBERS.indexOf(word);
  if (index >= 0) return index + 1;
  return /^an?$/.test(word) ? 1 : Number(word);
}

function clock(hour: number, minute: number): string {
  return `${hour}:${String(minute).padStart(2, '0')}`;
}

/** "half past three" without am or pm is in the afternoon, as "at three" is. */
function spokenTime(part: string, hour: number, half: string | undefined): string {
  const minute = part === 'half past' ? 30 : part === 'quarter past' ? 15 : 45;
  const whole = minute === 45 ? (hour + 11) % 12 || 12 : hour;
  return half === undefined ? clock(afternoon(whole), minute) : `${clock(whole, minute)}${half}`;
}

export function afternoon(hour: number): number {
  return hour >= 1 && hour <= 6 ? hour + 12 : hour;
}

function dayOfMonth(day: number, today: DateTime): string {
  const month = today.startOf('month').plus({ months: day < today.day ? 1 : 0 });
  const fitting = day <= (month.daysInMonth ?? 31) ? month : month.plus({ months: 1 });
  return fitting.set({ day }).toISODate() ?? '';
}

/** "a week from Monday": so long after the Monday that comes next. */
function daysAfter(amount: string, unit: string, from: string, today: DateTime): string {
  const weekday = WEEKDAYS.indexOf(from) + 1;
  const until = weekday === 0 ? 1 : (weekday - today.weekday + 7) % 7 || 7;
  return today.plus({ days: until + numberOf(amount) * (UNIT_DAYS[unit] ?? 0) }).toISODate() ?? '';
}

/** Rewrites what the parser does not know, or reads differently from most people. */
export function rewritten(text: string, today: DateTime): string {
  return text
    .replace(new RegExp(`\\b${AMOUNT} (minutes?|hours?|days?|weeks?) from (?:now|today)`, 'g'), 'in $1 $2')
    .replace(FROM_A_DAY, (_, amount: string, unit: string, from: string) => daysAfter(amount, unit, from, today))
    .replace(/\b(?:right )?now\b/g, '')
    .replace(/\btmrw\b/g, 'tomorrow')
    .replace(/\b(?:the )?day after tomorrow\b/g, today.plus({ days: 2 }).toISODate() ?? '')
    .replace(/\bthis (?=morning|afternoon|evening)/g, 'today in the ')
    .replace(/\bnext week(?: on)?,? ((?:mon|tues|wednes|thurs|fri|satur|sun)day)/g, '$1 next week')
    .replace(PAST_OR_TO, (_, part: string, hour: string, half: string | undefined) => spokenTime(part, numberOf(hour), half))
    .replace(/\b(\d{1,2})h(\d\d)?\b/g, (_, hour: string, minute = '00') => `${hour}:${minute}`)
    .replace(new RegExp(`\\b(${NUMBERS.join('|')})(?= ?(?:am|pm|a\\.m|p\\.m|o'clock)\\b)`, 'g'), (word) => String(numberOf(word)))
    .replace(new RegExp(`\\bat (${NUMBERS.join('|')})\\b`, 'g'), (_, word: string) => `at ${numberOf(word)}`)
    .replace(
      new RegExp(
        `(?<!(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\\w* )\\b(?:the )?(\\d{1,2})(?:st|nd|rd|th)\\b(?! ${MONTH})`,
        'g',
      ),
      (whole, day: string) => (Number(day) >= 1 && Number(day) <= 31 ? dayOfMonth(Number(day), today) : whole),
    );
}

/** How far something is moved. A day later is the same time of the next day, however long the night. */
export interface Shift {
  readonly days: number;
  readonly milliseconds: number;
}

/** The lengths a text names, and the text without them. */
interface Lengths {
  readonly rest: string;
  readonly minutes: number | null;
  readonly shift: Shift | null;
}

const LENGTH = new RegExp(
  `\\b(?:for|lasting|taking) ${AMOUNT}[ -]?(min|hour)\\w*|\\b(\\d{1,3})[ -](min|hour)\\w* (?:appointment|slot|session|visit|booking|long)`,
);
const STEP = `(?<amount>${AMOUNTS}) (?<unit>min|hour|day|week)(?:ute)?s?\\b`;
/** "two hours later", "back by a week", "forward 30 minutes". */
const SHIFTS = [
  new RegExp(`\\b${STEP} (?:later|earlier)\\b`, 'g'),
  new RegExp(`\\b(?:(?:back|forward|up) (?:by )?|by )${STEP}`, 'g'),
];
const TO_EARLIER = /\b(?:earlier|forward|up)\b/;

function amountOf(amount: string): number {
  return amount === 'half an' ? 0.5 : numberOf(amount);
}

function millisecondsOf(amount: string, unit: string): number {
  return amountOf(amount) * (UNIT_MS[unit] ?? 0);
}

function shiftIn(text: string): Shift | null {
  const [found] = SHIFTS.flatMap((pattern) => [...text.matchAll(pattern)]);
  if (found === undefined) return null;
  const { amount = '', unit = '' } = found.groups ?? {};
  const step = TO_EARLIER.test(found[0]) ? -amountOf(amount) : amountOf(amount);
  const days = UNIT_DAYS[unit];
  return days === undefined ? { days: 0, milliseconds: step * (UNIT_MS[unit] ?? 0) } : { days: step * days, milliseconds: 0 };
}

export function lengthsOf(text: string): Lengths {
  const length = LENGTH.exec(text);
  const ms = length ? millisecondsOf(length[1] ?? length[3] ?? '0', length[2] ?? length[4] ?? '') : 0;
  return {
    rest: SHIFTS.reduce((rest, pattern) => rest.replaceAll(pattern, ' '), text.replace(LENGTH, ' ')),
    minutes: ms >= 60_000 && ms <= 86_400_000 ? Math.round(ms / 60_000) : null,
    shift: shiftIn(text),
  };
}
