import type { DateTime } from 'luxon';
import { UNIT_DAYS } from './durations.js';
import { NUMBER_WORDS, numberOf } from './numbers.js';
import { MONTH_BEGINS } from './vocabulary.js';

const AMOUNT = `(\\d{1,3}|an?|${NUMBER_WORDS})`;
const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const WEEKDAY = `(${WEEKDAYS.join('|')})`;
const FROM_A_DAY = new RegExp(
  `\\b(?<!\\b(?:once|twice|times|for|in) )${AMOUNT} (?:(day|week)s? from|(week)s?(?: on)?) (tomorrow|${WEEKDAYS.join('|')})\\b`,
  'g',
);
const AGO = new RegExp(`\\b${AMOUNT} (day|week)s? ago\\b`, 'g');
const LAST = new RegExp(`\\blast ${WEEKDAY}\\b`, 'g');
const AFTER_NEXT = new RegExp(`\\b(?:the )?${WEEKDAY} (?:after next|week)\\b`, 'g');
/** A series is more than can be booked: no day of it is meant. */
const REPEATED = new RegExp(`\\b(?:every|each)(?: other| second)? (?:day|week|month|${WEEKDAYS.join('|')})s?\\b`, 'g');
/** Which Monday lies "in two weeks" is not said: it depends on whom one asks. */
const WEEKDAY_IN_WEEKS = new RegExp(
  `\\b(?:on )?${WEEKDAY},? in ${AMOUNT} weeks?\\b|\\bin ${AMOUNT} weeks?(?:' time)?,? (?:on )?(?:an? )?${WEEKDAY}\\b|\\b${WEEKDAY},? (?:(?:of|in) )?the week after next\\b|\\b(?:in )?the week after next,? (?:on )?${WEEKDAY}\\b`,
  'g',
);
/** "I sat down", "in the sun"; "we have Sat at 10" is one. */
const NO_WEEKDAY =
  /(?<=\b(?:i|we|you|he|she|they|who|and|just|have|has|had) )sat\b(?! (?:(?:at|from) )?(?:\d|noon|morning|afternoon|evening))|\bsat(?= (?:down|there|with|through|waiting|next to|in)\b)|(?<=\bthe )sun\b/g;
const OF_NEXT_MONTH =
  /\b(?:the )?(\d{1,2})(?:st|nd|rd|th) (?:of )?next month\b|\bnext month,? (?:on )?(?:the )?(\d{1,2})(?:st|nd|rd|th)\b/g;
const MONTH = `(?:of )?${MONTH_BEGINS}`;
const DOTTED = /(?<![\d.])(\d{1,2})\.(\d{1,2})\.(\d{4}|\d\d)?(?![\d])/g;
const SLASHED = /(?<![\d/])(\d{1,2})\/(\d{1,2})(?:\/(\d{4}|\d\d))?(?![\d/])/g;

const iso = (day: DateTime) => day.toISODate() ?? '';

function dayOfMonth(day: number, today: DateTime): string {
  const month = today.startOf('month').plus({ months: day < today.day ? 1 : 0 });
  const fitting = day <= (month.daysInMonth ?? 31) ? month : month.plus({ months: 1 });
  return iso(fitting.set({ day }));
}

function dayOfNextMonth(day: number, today: DateTime): string | null {
  const month = today.startOf('month').plus({ months: 1 });
  return day >= 1 && day <= (month.daysInMonth ?? 31) ? iso(month.set({ day })) : null;
}

/** Days until the weekday that comes next, a week from today on that day itself. */
function until(weekday: string, today: DateTime): number {
  return (WEEKDAYS.indexOf(weekday) + 1 - today.weekday + 7) % 7 || 7;
}

/** "a week from Monday": so long after the Monday that comes next. */
function daysAfter(amount: string, unit: string, from: string, today: DateTime): string {
  const first = from === 'tomorrow' ? 1 : until(from, today);
  return iso(today.plus({ days: first + numberOf(amount) * (UNIT_DAYS[unit] ?? 0) }));
}

/** A date in figures; without a year, the next one. Null when there is no such day. */
function figures(day: number, month: number, year: string | undefined, today: DateTime): DateTime | null {
  const years = year === undefined ? [today.year, today.year + 1] : [Number(year.length === 2 ? `20${year}` : year)];
  const days = years.map((each) => today.startOf('year').set({ year: each, month }).set({ day }));
  const real = days.filter((each) => each.month === month && each.day === day);
  return real.find((each) => each.toMillis() >= today.startOf('day').toMillis()) ?? real[0] ?? null;
}

/** "01/12" is read month first unless that is no day, or past while the other reading is not. */
function slashed(first: number, second: number, year: string | undefined, today: DateTime): DateTime | null {
  const readings = [figures(second, first, year, today), figures(first, second, year, today)].filter((day) => day !== null);
  return readings.find((day) => day.toMillis() >= today.startOf('day').toMillis()) ?? readings[0] ?? null;
}

/** "Monday in two weeks" or the 31st of a month without one, where a text says that. */
export function vagueDayIn(text: string, today: DateTime): string | null {
  const ofNextMonth = [...text.matchAll(OF_NEXT_MONTH)];
  const missing = ofNextMonth.find(([, first, last]) => dayOfNextMonth(Number(first ?? last), today) === null);
  return text.match(WEEKDAY_IN_WEEKS)?.[0] ?? missing?.[0] ?? null;
}

/** A text without what the parser would take for a day that nobody named. */
function withoutNoDays(text: string): string {
  const noDays = [REPEATED, NO_WEEKDAY, WEEKDAY_IN_WEEKS, /\bthe day\b(?! (?:after|before))/g];
  return noDays.reduce((rest, pattern) => rest.replace(pattern, ' '), text);
}

/** Writes the days that the parser does not know, or reads differently from most people, in the form of ISO 8601. */
export function withPlainDates(text: string, today: DateTime): string {
  return withoutNoDays(text)
    .replace(new RegExp(`\\b${AMOUNT} (days?|weeks?) from (?:now|today)`, 'g'), 'in $1 $2')
    .replace(FROM_A_DAY, (_, amount: string, from?: string, on?: string, day = '') =>
      daysAfter(amount, from ?? on ?? '', day, today),
    )
    .replace(OF_NEXT_MONTH, (_, first?: string, last?: string) => dayOfNextMonth(Number(first ?? last), today) ?? ' ')
    .replace(AGO, (_, amount: string, unit: string) => iso(today.minus({ days: numberOf(amount) * (UNIT_DAYS[unit] ?? 0) })))
    .replace(LAST, (_, weekday: string) =>
      iso(today.plus({ days: until(weekday, today) - (until(weekday, today) === 7 ? 14 : 7) })),
    )
    .replace(AFTER_NEXT, (_, weekday: string) => iso(today.plus({ days: until(weekday, today) + 7 })))
    .replace(/\b(?:the )?day after tomorrow\b/g, iso(today.plus({ days: 2 })))
    .replace(/\bnext week(?: on)?,? ((?:mon|tues|wednes|thurs|fri|satur|sun)day)/g, '$1 next week')
    .replace(DOTTED, (whole, day: string, month: string, year?: string) => {
      const date = figures(Number(day), Number(month), year, today);
      return date === null ? whole : iso(date);
    })
    .replace(SLASHED, (whole, first: string, second: string, year?: string) => {
      const date = slashed(Number(first), Number(second), year, today);
      return date === null ? whole : iso(date);
    })
    .replace(
      new RegExp(`(?<!${MONTH_BEGINS}\\w* )\\b(?:the )?(\\d{1,2})(?:st|nd|rd|th)\\b(?! ${MONTH})`, 'g'),
      (whole, day: string) => (Number(day) >= 1 && Number(day) <= 31 ? dayOfMonth(Number(day), today) : whole),
    );
}
