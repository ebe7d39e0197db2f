import type { DateTime } from 'luxon';

const NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
export const NUMBER = `(?:\\d{1,2}|${NUMBERS.join('|')})`;
const PAST_OR_TO = new RegExp(`\\b(half past|quarter past|quarter to) (${NUMBER})\\b( ?[ap]\\.?m)?`, 'g');
const AMOUNT = `(\\d{1,3}|an?|half an|${NUMBERS.join('|')})`;
const UNIT_MS: Record<string, number> = { min: 60_000, hou: 3_600_000, day: 86_400_000, wee: 604_800_000 };
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

/** Rewrites what the parser does not know, or reads differently from most people. */
export function rewritten(text: string, today: DateTime): string {
  return text
    .replace(new RegExp(`\\b${AMOUNT} (minutes?|hours?|days?|weeks?) from (?:now|today)`, 'g'), 'in $1 $2')
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

/** The lengths a text names, and the text without them. */
interface Lengths {
  readonly rest: string;
  readonly minutes: number | null;
  readonly shift: number | null;
}

const LENGTH = new RegExp(
  `\\b(?:for|lasting|taking) ${AMOUNT}[ -]?(min|hou)\\w*|\\b(\\d{1,3})[ -](min|hou)\\w* (?:appointment|slot|session|visit|booking|long)`,
);
const SHIFT = new RegExp(`\\b${AMOUNT} (min|hou|day|wee)\\w* (later|earlier)\\b`);

function millisecondsOf(amount: string, unit: string): number {
  return (amount === 'half an' ? 0.5 : numberOf(amount)) * (UNIT_MS[unit] ?? 0);
}

export function lengthsOf(text: string): Lengths {
  const length = LENGTH.exec(text);
  const shift = SHIFT.exec(text);
  const ms = length ? millisecondsOf(length[1] ?? length[3] ?? '0', length[2] ?? length[4] ?? '') : 0;
  return {
    rest: text.replace(LENGTH, ' ').replaceAll(new RegExp(SHIFT, 'g'), ' '),
    minutes: ms >= 60_000 && ms <= 86_400_000 ? Math.round(ms / 60_000) : null,
    shift: shift ? millisecondsOf(shift[1] ?? '', shift[2] ?? '') * (shift[3] === 'earlier' ? -1 : 1) : null,
  };
}
