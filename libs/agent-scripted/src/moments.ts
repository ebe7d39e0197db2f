import { DateTime } from 'luxon';
import type { Clock, Day } from './times.js';

/** What was found, or what to ask because it was not. */
export type Found<Value> = { readonly is: Value } | { readonly asks: string };

/** Where and when words of time are said. */
export interface Here {
  readonly zone: string;
  /** Epoch milliseconds: words count from when the message was written. */
  readonly saidAt: number;
}

/** A date this near in the past is one that has passed, not one of next year. */
const RECENT_DAYS = 60;
export const IS_PAST = 'That time has already passed. Which day and time would suit you?';
/** This year and the next: the next 29 February may be too far away to be meant. */
const YEARS_AHEAD = 2;

/** A day as replies write it. */
export function dayText(date: DateTime): string {
  return `**${date.setLocale('en-GB').toFormat('cccc, d LLLL yyyy')}**`;
}

export function clockText({ hour, minute }: Clock): string {
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}

/** The dates that a day can be: more than one where people disagree about what the words mean, none where there is no such day. */
export function datesOf(day: Day, { zone, saidAt }: Here): readonly DateTime[] {
  const today = DateTime.fromMillis(saidAt, { zone }).startOf('day');
  switch (day.is) {
    case 'in':
      return [today.plus({ days: day.days })];
    case 'weekday':
      return weekdays(today, day.weekday, day.ofNextWeek);
    case 'date':
      return calendarDates(today, day);
    case 'either':
      return [];
  }
}

function weekdays(today: DateTime, weekday: number, isOfNextWeek: boolean): readonly DateTime[] {
  const coming = today.plus({ days: (weekday - today.weekday + 7) % 7 });
  if (!isOfNextWeek) return coming.hasSame(today, 'day') ? [today, today.plus({ days: 7 })] : [coming];
  const ofNextWeek = today.plus({ days: 7 - today.weekday + weekday });
  const isTomorrow = coming.hasSame(today.plus({ days: 1 }), 'day');
  if (!isTomorrow) return [ofNextWeek];
  return [coming, ofNextWeek.hasSame(coming, 'day') ? coming.plus({ days: 7 }) : ofNextWeek];
}

function calendarDates(today: DateTime, { year, month, day }: Extract<Day, { is: 'date' }>): readonly DateTime[] {
  const { zone } = today;
  const dateIn = (inYear: number, inMonth: number) => DateTime.fromObject({ year: inYear, month: inMonth, day }, { zone });
  const first = today.startOf('month');
  const candidates =
    month === null
      ? [0, 1, 2].map((ahead) => first.plus({ months: ahead })).map((each) => dateIn(each.year, each.month))
      : Array.from({ length: year === null ? YEARS_AHEAD : 1 }, (_, ahead) => dateIn((year ?? today.year) + ahead, month));
  const earliest = month === null ? today : today.minus({ days: RECENT_DAYS });
  const found = candidates.find((each) => each.isValid && (year !== null || each >= earliest));
  return found ? [found] : [];
}

/** The one day that these mean together. A weekday beside a date has to be that date's. */
export function dayOf(days: readonly Day[], here: Here): Found<DateTime> | null {
  const either = days.find((day) => day.is === 'either');
  if (either) return { asks: `**${either.text}** could be day and month in either order. Which day is it, such as 5 March?` };
  const dated = days.filter((day) => day.is !== 'weekday');
  const [first] = dated.length > 0 ? dated : days;
  if (first === undefined) return null;
  const dates = datesOf(first, here);
  const isSame = (day: Day) =>
    dated.length > 0 && day.is === 'weekday' && !day.ofNextWeek ? isOn(day.weekday, dates[0]) : overlap(day, dates, here);
  if (dates.length === 0) return { asks: 'I know no such date. Which day do you mean?' };
  if (days.some((day) => !isSame(day))) return { asks: 'The days that you name do not agree. Which day do you mean?' };
  const [one, other] = dates as [DateTime, DateTime?];
  return other === undefined ? { is: one } : { asks: `Do you mean ${dayText(one)} or ${dayText(other)}?` };
}

const isOn = (weekday: number, date: DateTime | undefined) => date?.weekday === weekday;
const overlap = (day: Day, dates: readonly DateTime[], here: Here) =>
  datesOf(day, here).some((each) => dates.some((date) => date.hasSame(each, 'day')));

/** The instant of a local time; asks where there is none, where there are two, and where it has passed. */
export function instantOf(date: DateTime, { hour, minute }: Clock, now: number): Found<number> {
  const moment = date.set({ hour, minute });
  const local = `${clockText({ hour, minute })} on ${dayText(date)} in ${date.zoneName}`;
  if (moment.hour !== hour || moment.minute !== minute)
    return { asks: `${local} does not exist: the clocks are set forward then. Which time do you mean?` };
  if (moment.getPossibleOffsets().length > 1)
    return { asks: `${local} occurs twice: the clocks are set back then. Which other time would suit you?` };
  return inFuture(moment.toMillis(), now);
}

export function inFuture(at: number, now: number): Found<number> {
  return at > now ? { is: at } : { asks: IS_PAST };
}
