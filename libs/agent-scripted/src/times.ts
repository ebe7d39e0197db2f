import type { Token } from './tokens.js';

/** A day as it is named. `months` count from 1, weekdays from Monday as 1. */
export type Day =
  | { readonly is: 'in'; readonly days: number }
  | { readonly is: 'weekday'; readonly weekday: number; readonly ofNextWeek: boolean }
  | { readonly is: 'date'; readonly year: number | null; readonly month: number | null; readonly day: number }
  /** An order of day and month that could be either. */
  | { readonly is: 'either'; readonly text: string };

/** A time of day by the clock of the conversation's zone. */
export interface Clock {
  readonly hour: number;
  readonly minute: number;
}

/** One thing that a message says of time. */
export type TimePart =
  | { readonly says: 'day'; readonly day: Day }
  | { readonly says: 'clock'; readonly clock: Clock }
  | { readonly says: 'both'; readonly day: Day; readonly clock: Clock }
  | { readonly says: 'instant'; readonly at: number }
  | { readonly says: 'length'; readonly minutes: number }
  | { readonly says: 'days'; readonly days: number }
  /** A number alone, which may be an hour or the place of a choice. */
  | { readonly says: 'number'; readonly value: number }
  | { readonly says: 'unreadable'; readonly text: string };

export interface FoundTime {
  readonly part: TimePart;
  /** How many tokens it takes. */
  readonly length: number;
}

const table = (...rows: readonly string[]) =>
  new Map(rows.flatMap((row, index) => row.split(' ').map((word) => [word, index + 1] as const)));

const WEEKDAYS = table(
  'monday mon',
  'tuesday tue tues',
  'wednesday wed',
  'thursday thu thur thurs',
  'friday fri',
  'saturday sat',
  'sunday sun',
);
const MONTHS = table(
  ...['january jan', 'february feb', 'march mar', 'april apr', 'may', 'june jun', 'july jul', 'august aug'],
  ...['september sep sept', 'october oct', 'november nov', 'december dec'],
);
const NUMBERS = table(...'one two three four five six seven eight nine ten eleven twelve'.split(' '));
const MINUTES = new Map([...NUMBERS, ['fifteen', 15], ['twenty', 20], ['thirty', 30], ['ninety', 90]]);
const UNITS = new Map([
  ...'hour hours hr hrs h'.split(' ').map((unit) => [unit, 60] as const),
  ...'minute minutes min mins'.split(' ').map((unit) => [unit, 1] as const),
]);
const DAY_UNITS = new Map([
  ['day', 1],
  ['days', 1],
  ['week', 7],
  ['weeks', 7],
]);

/** "Tomorrow's" is tomorrow. */
const bare = (word: string) => word.replace(/'s$/, '');
const digits = ({ kind, word }: Token) => (kind === 'number' && word.length < 3 ? Number(word) : undefined);
const ordinal = ({ kind, word }: Token) => (kind === 'ordinal' ? Number.parseInt(word, 10) : undefined);
const upTo12 = (hour: number | undefined) => (hour !== undefined && hour >= 1 && hour <= 12 ? hour : undefined);

/** The words that forms name in capitals, by what they stand for. */
const CLASSES: Readonly<Record<string, (token: Token) => number | undefined>> = {
  WEEKDAY: ({ word }) => WEEKDAYS.get(bare(word)),
  MONTH: ({ word }) => MONTHS.get(word),
  NUMBER: digits,
  ORDINAL: ordinal,
  DATE: (token) => digits(token) ?? ordinal(token),
  YEAR: ({ kind, word }) => (kind === 'number' && /^20\d\d$/.test(word) ? Number(word) : undefined),
  HOUR: (token) => NUMBERS.get(token.word) ?? upTo12(digits(token)),
  HOURWORD: ({ word }) => NUMBERS.get(word),
  MINUTES: (token) => MINUTES.get(token.word) ?? digits(token),
  COUNT: (token) =>
    /^an?$/.test(token.word) ? 1 : (MINUTES.get(token.word) ?? (token.kind === 'number' ? Number(token.word) : undefined)),
  LENGTH: ({ kind, word }) =>
    kind === 'length' ? Math.round(Number.parseFloat(word) * (word.includes('h') ? 60 : 1)) : undefined,
  UNIT: ({ word }) => UNITS.get(word),
  DAYS: ({ word }) => DAY_UNITS.get(word),
};

/** A phrase of time. */
interface Form {
  readonly words: readonly { readonly name: string; readonly isOptional: boolean; readonly isClass: boolean }[];
  readonly make: (...values: readonly number[]) => TimePart;
  /** It counts only behind one of these words, or with `not` behind none of them. */
  readonly behind?: readonly string[];
  readonly not?: readonly string[];
}

/** A word with `?` may be missing; of a class that is missing the value is NaN. */
function form(text: string, make: Form['make'], more: Pick<Form, 'behind' | 'not'> = {}): Form {
  const wordOf = (word: string) => ({
    name: word.replace('?', ''),
    isOptional: word.endsWith('?'),
    isClass: word.replace('?', '') in CLASSES,
  });
  return { words: text.split(' ').map(wordOf), make, ...more };
}

const BEFORE_AN_HOUR = ['at', 'to', 'from', 'it', 'that'];
const inDays = (days: number): TimePart => ({ says: 'day', day: { is: 'in', days } });
const weekday = (of: number, ofNextWeek: boolean): TimePart => ({ says: 'day', day: { is: 'weekday', weekday: of, ofNextWeek } });
const date = (day = 0, month?: number, year?: number): TimePart => ({
  says: 'day',
  day: { is: 'date', day, month: month || null, year: year || null },
});
const clock = (hour = 0, minute = 0): TimePart => ({ says: 'clock', clock: { hour, minute } });
const before = (hour = 0, minutes = 0) => clock(clockOfBare(hour) - 1, 60 - minutes);
const length = (minutes: number): TimePart => ({ says: 'length', minutes });
const FORMS: readonly Form[] = [
  form('today', () => inDays(0)),
  form('tomorrow', () => inDays(1)),
  form('yesterday', () => inDays(-1)),
  form('the? day after tomorrow', () => inDays(2)),
  form('this? coming? WEEKDAY', (of = 0) => weekday(of, false)),
  form('next WEEKDAY', (of = 0) => weekday(of, true)),
  form('the? ORDINAL of? MONTH YEAR?', date),
  // "At 9 April 5th" has an hour before the month.
  form('NUMBER of? MONTH YEAR?', date, { not: ['at'] }),
  form('MONTH the? DATE YEAR?', (month, day, year) => date(day, month, year)),
  form('the? ORDINAL', (day) => date(day)),
  form('noon', () => clock(12)),
  form('midday', () => clock(12)),
  form("HOUR o'clock", (hour = 0) => clock(clockOfBare(hour))),
  form('MINUTES past HOUR', (minutes, hour = 0) => clock(clockOfBare(hour), minutes)),
  form('a? quarter past HOUR', (hour = 0) => clock(clockOfBare(hour), 15)),
  form('half past HOUR', (hour = 0) => clock(clockOfBare(hour), 30)),
  form('a? quarter to HOUR', (hour) => before(hour, 15)),
  // Elsewhere "ten to two" may be from ten until two.
  form('MINUTES to HOUR', (minutes, hour) => before(hour, minutes), { behind: ['at'] }),
  form('HOURWORD MINUTES', (hour = 0, minutes) => clock(clockOfBare(hour), minutes), { behind: ['at'] }),
  form('HOURWORD', (hour = 0) => clock(clockOfBare(hour)), { behind: BEFORE_AN_HOUR }),
  form('NUMBER', (hour) => clockOf(String(hour)), { behind: BEFORE_AN_HOUR }),
  form('NUMBER', (value = 0) => ({ says: 'number', value })),
  form('LENGTH to HOUR', (minutes, hour) => ({ says: 'unreadable', text: `${minutes} minutes to ${hour}` })),
  form('by? LENGTH', (minutes = 0) => length(minutes)),
  form('by? COUNT UNIT', (count = 0, unit = 0) => length(count * unit)),
  form('by? COUNT DAYS', (count = 0, days = 0) => ({ says: 'days', days: count * days })),
  form('by? a? half an? hour', () => length(30)),
  form('by? an hour and a half', () => length(90)),
  form('by? a? quarter of an hour', () => length(15)),
  form('by? three quarters of an hour', () => length(45)),
  form('by? forty five UNIT', (unit = 0) => length(45 * unit)),
];

/** The words that a form may begin with; besides them there are tokens that are no words. */
const BEGINNINGS = new Set([
  ...[WEEKDAYS, MONTHS, MINUTES].flatMap((each) => [...each.keys()]),
  ...FORMS.flatMap(({ words }) => words.slice(0, words.findIndex(({ isOptional }) => !isOptional) + 1).map(({ name }) => name)),
  'an',
]);

/** The longest phrase of time that begins at this token; null where none does. */
export function timeAt(tokens: readonly Token[], at: number): FoundTime | null {
  const token = tokens[at];
  if (token === undefined || (token.kind === 'word' && !BEGINNINGS.has(bare(token.word)))) return null;
  const own = partOf(token);
  let longest: FoundTime | null = own && { part: own, length: 1 };
  for (const each of FORMS) {
    const found = matched(each, tokens, at);
    if (found !== null && found.length > (longest?.length ?? 0)) longest = found;
  }
  return longest;
}

function matched({ words, make, behind, not }: Form, tokens: readonly Token[], at: number): FoundTime | null {
  const preceding = tokens[at - 1]?.word ?? '';
  if ((behind && !behind.includes(preceding)) || not?.includes(preceding)) return null;
  const values: number[] = [];
  let next = at;
  for (const { name, isOptional, isClass } of words) {
    const token = tokens[next];
    const value = token && (isClass ? CLASSES[name]?.(token) : bare(token.word) === name ? 0 : undefined);
    if (value === undefined && !isOptional) return null;
    if (isClass) values.push(value ?? Number.NaN);
    if (value !== undefined) next++;
  }
  return { part: make(...values), length: next - at };
}

/** What a token that is a time by its form says. */
function partOf({ kind, word }: Token): TimePart | null {
  switch (kind) {
    case 'instant':
      return instantOf(word);
    case 'date':
      return numericDate(word);
    case 'clock':
      return clockOf(word);
    default:
      return null;
  }
}

function instantOf(text: string): TimePart {
  if (/z$|[+-]\d\d:?\d\d$/.test(text.slice(11))) {
    const at = Date.parse(text.replace(' ', 'T').toUpperCase());
    return Number.isNaN(at) ? { says: 'unreadable', text } : { says: 'instant', at };
  }
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = text.split(/\D/).map(Number);
  if (hour > 23 || minute > 59) return { says: 'unreadable', text };
  return { says: 'both', day: { is: 'date', year, month, day }, clock: { hour, minute } };
}

function numericDate(text: string): TimePart {
  const parts = text.split(/\D/).filter((part) => part !== '');
  const [one = 0, two = 0, three] = parts.map(Number);
  const date = (year: number | null, month: number, day: number): TimePart => ({
    says: 'day',
    day: { is: 'date', year, month, day },
  });
  if (parts[0]?.length === 4) return date(one, two, three ?? 0);
  const year = three === undefined ? null : three < 100 ? 2000 + three : three;
  if (text.includes('.')) return two > 12 && year === null ? clockOf(text) : date(year, two, one);
  if (one > 12) return date(year, two, one);
  return two > 12 ? date(year, one, two) : { says: 'day', day: { is: 'either', text } };
}

/** Hours without a half of the day: 7 to 11 in the morning, 12 at noon, 1 to 6 in the afternoon. */
function clockOfBare(hour: number): number {
  return hour >= 1 && hour <= 6 ? hour + 12 : hour;
}

/** A clock in digits: "10am", "3:30 pm", "14h30", "09:00", "9". */
export function clockOf(text: string): TimePart {
  const [hours = '', minutes = '0'] = text.split(/\D+/);
  const [hour, minute] = [Number(hours), Number(minutes)];
  const half = /([ap])\.?m/.exec(text)?.[1];
  if (minute > 59 || hour > 23 || (half !== undefined && (hour < 1 || hour > 12))) return { says: 'unreadable', text };
  if (half !== undefined) return clock((hour % 12) + (half === 'p' ? 12 : 0), minute);
  return clock(hours.startsWith('0') ? hour : clockOfBare(hour), minute);
}
