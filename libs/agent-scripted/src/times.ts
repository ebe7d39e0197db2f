import { DateTime } from 'luxon';

export interface TimePart {
  /** Possible dates: two if the words are ambiguous, none if there is no such day. */
  readonly dates?: readonly DateTime[];
  /** Monday is 1. With a date it must match that date. */
  readonly weekday?: number;
  /** HH:MM in the conversation's zone. */
  readonly clock?: string;
  readonly minutes?: number;
  readonly days?: number;
  /** A number, which may choose from a list, or be an hour with this clock. */
  readonly number?: number;
  readonly hour?: string | undefined;
  readonly asks?: string;
}

interface Phrase {
  readonly text: string;
  readonly today: DateTime;
}

const HOURS = `one = 1, two = 2, three = 3, four = 4, five = 5, six = 6, seven = 7, eight = 8, nine = 9, ten = 10, eleven = 11,
  twelve = 12`;
const WHOLE = `${HOURS}, a|an = 1, fifteen = 15, twenty = 20, thirty = 30, forty five = 45, ninety = 90`;

const WORDS = Object.entries({
  DAY: 'today = 0, tomorrow = 1, yesterday = -1, the day after tomorrow|day after tomorrow = 2',
  WEEKDAY: `monday|mon = 1, tuesday|tues|tue = 2, wednesday|wed = 3, thursday|thurs|thur|thu = 4, friday|fri = 5,
    saturday|sat = 6, sunday|sun = 7`,
  MONTH: `january|jan = 1, february|feb = 2, march|mar = 3, april|apr = 4, may = 5, june|jun = 6, july|jul = 7, august|aug = 8,
    september|sept|sep = 9, october|oct = 10, november|nov = 11, december|dec = 12`,
  HOUR: HOURS,
  MINUTES: `${WHOLE}, quarter = 15, half = 30`,
  WHOLE,
  UNIT: 'hours|hour|hrs|hr|h = 60, minutes|minute|mins|min = 1',
  SPAN: 'days|day = 1, weeks|week = 7',
  HALF: 'am = 0, pm = 12',
}).map(([name, table]) => [name, table.split(/,\s+/).map((row) => row.split(' = '))] as const);
const ALTERNATIVES = new Map<string, string>(WORDS.map(([name, rows]) => [name, rows.map(([words]) => words).join('|')]));
const VALUES = new Map(
  WORDS.flatMap(([, rows]) => rows).flatMap(([words = '', value]) => words.split('|').map((word) => [word, Number(value)])),
);

const CLOCK = String.raw`[:.h](\d\d)(?::\d\d(?:\.\d+)?)?`;
const DATE = String.raw`(\d\d?(?: (?:st|nd|rd|th))?)`;
const AN_HOUR = String.raw`(HOUR|1[0-2]|0?[1-9])`;
const YEAR = String.raw`(?: (20\d\d))?`;

/** A date this near in the past is not meant for next year. */
const RECENT_DAYS = 60;

/** Hours without am or pm: 7 to 11 in the morning, 12 at noon, 1 to 6 in the afternoon. */
const usual = (hour: number) => (hour >= 1 && hour <= 6 ? hour + 12 : hour);
const unreadable = ({ text }: Phrase): TimePart => ({ asks: `I cannot read the time **${text}**. Which time do you mean?` });
const twoDigits = (value: number) => String(value).padStart(2, '0');
const clock = (said: Phrase, hour: number, minute = 0): TimePart =>
  hour > 23 || minute < 0 || minute > 59 ? unreadable(said) : { clock: `${twoDigits(hour)}:${twoDigits(minute)}` };
const usualClock = (said: Phrase, hour: number, minute = 0) => clock(said, usual(hour), minute);
const before = (said: Phrase, minutes: number, hour: number) => clock(said, usual(hour) - 1, 60 - minutes);
const length = (minutes: number): TimePart => ({ minutes: Math.round(minutes) });

/** The longest match wins, of equally long ones the first. A missing group is 0. */
const FORMS: readonly (readonly [string, (said: Phrase, ...values: number[]) => TimePart])[] = [
  ["(DAY)(?:'s)?", ({ today }, days) => ({ dates: [today.plus({ days })] })],
  ["(?:this )?(?:coming )?(WEEKDAY)(?:'s)?", ({ today }, weekday) => ({ dates: weekdayDates(today, weekday), weekday })],
  ["next (WEEKDAY)(?:'s)?", ({ today }, weekday) => ({ dates: weekdayDates(today, weekday, true) })],
  // "At 9 April 5th" has an hour before the month.
  [String.raw`(?<!\bat )(?:the )?${DATE} (?:of )?(MONTH)${YEAR}`, date],
  [`(MONTH) (?:the )?${DATE}${YEAR}`, (said, month, day, year) => date(said, day, month, year)],
  [String.raw`(?:the )?(\d\d? (?:st|nd|rd|th))`, (said, number) => ({ ...date(said, number), number })],
  [String.raw`(\d{4})[-/](\d\d)[-/](\d\d)t?`, (said, year, month, day) => date(said, day, month, year)],
  [String.raw`(\d\d?)\.(0?[1-9]|1[0-2])\.(\d{4}|\d\d)?`, date],
  [String.raw`(\d\d?)[-/](\d\d?)(?:[-/](\d{4}|\d\d))?`, dayAndMonth],
  [String.raw`\d{4}-\d\d-\d\dt\S+(?:z|[+-]\d\d:?\d\d)`, instant],
  ['noon|midday', (said) => clock(said, 12)],
  [String.raw`0(\d)${CLOCK}`, clock],
  [String.raw`(\d\d?)${CLOCK}\.?`, usualClock],
  [String.raw`(\d\d?)(?:${CLOCK})?(HALF)`, halfDayClock],
  ["(HOUR|\\d\\d?) o'?clock", usualClock],
  [`(?:a )?(MINUTES|\\d\\d?) past ${AN_HOUR}`, (said, minutes, hour) => usualClock(said, hour, minutes)],
  [`(?:a )?(quarter) to ${AN_HOUR}`, before],
  // Elsewhere "ten to two" may mean from ten until two.
  [`(?<=\\bat )(MINUTES|\\d\\d?) to ${AN_HOUR}`, before],
  ['(?<=\\bat )(HOUR) (MINUTES|\\d\\d?)', usualClock],
  ['(?<=\\b(?:at|to|from|it|that) )(HOUR|\\d\\d?)', usualClock],
  // A number next to a day, or after another time, is an hour.
  [String.raw`(?<=\b(?:or|DAY|WEEKDAY|MONTH|st|nd|rd|th|20\d\d|[-./]\d\d?\.?) )(\d\d?)`, usualClock],
  ['(\\d\\d?)(?= (?:DAY|WEEKDAY)(?: |$))', usualClock],
  ['((?!one\\b)HOUR|[1-9]\\d?)', (said, number) => ({ number, hour: usualClock(said, number).clock })],
  ['\\d+ (?:UNIT) to ' + AN_HOUR, unreadable],
  ['(?:by )?(WHOLE|\\d+(?:\\.\\d)?) (UNIT)', (_said, count, unit) => length(count * unit)],
  ['(?:by )?(WHOLE|\\d+) (SPAN)', (_said, count, days) => ({ days: count * days })],
  ['(?:by )?(?:a )?half(?: an?)? hour', () => length(30)],
  ['(?:by )?an hour and a half', () => length(90)],
  ['(?:by )?(?:(?:a )?quarter|(three) quarters) of an hour', (_said, quarters) => length(15 * (quarters || 1))],
];

function dayAndMonth(said: Phrase, one: number, two: number, year: number): TimePart {
  if (one > 12) return date(said, one, two, year);
  if (two > 12) return date(said, two, one, year);
  return { dates: [], asks: `**${said.text}** could be day and month in either order. Which day is it, such as 5 March?` };
}

function instant(said: Phrase): TimePart {
  const local = DateTime.fromISO(said.text.toUpperCase(), { zone: said.today.zone });
  return local.isValid ? { dates: [local.startOf('day')], clock: local.toFormat('HH:mm') } : unreadable(said);
}

function halfDayClock(said: Phrase, hour: number, minute: number, half: number): TimePart {
  return hour < 1 || hour > 12 ? unreadable(said) : clock(said, (hour % 12) + half, minute);
}

/** Today's weekday may mean today or in a week; "next" is ambiguous if that is tomorrow. The next is of the coming week. */
function weekdayDates(today: DateTime, weekday: number, isNext = false): readonly DateTime[] {
  const coming = (weekday - today.weekday + 7) % 7;
  const next = coming === 1 ? [1, 8] : [7 - today.weekday + weekday];
  return (isNext ? next : coming === 0 ? [0, 7] : [coming]).map((days) => today.plus({ days }));
}

/** The next such date; without a month, of this month or the next two; none if there is none. */
function date({ today }: Phrase, day: number, month = 0, year = 0): TimePart {
  const months = [0, 1, 2].map((ahead) => today.startOf('month').plus({ months: ahead }));
  // The next 29 February may be too far away to be meant.
  const years = year > 0 ? [year < 100 ? 2000 + year : year] : [today.year, today.year + 1];
  const candidates = month === 0 ? months : years.map((each) => ({ year: each, month }));
  const earliest = month === 0 ? today : today.minus({ days: RECENT_DAYS });
  const found = candidates
    .map((each) => DateTime.fromObject({ year: each.year, month: each.month, day }, { zone: today.zone }))
    .find((each) => each.isValid && (year > 0 || each >= earliest));
  return { dates: found ? [found] : [] };
}

export const TIME_FORMS = FORMS.map(
  ([form, read]) => [form.replace(/[A-Z]{3,}/g, (name) => ALTERNATIVES.get(name) ?? name), read] as const,
);

export function valueOf(group: string | undefined): number {
  return group === undefined ? 0 : (VALUES.get(group) ?? Number.parseFloat(group));
}
