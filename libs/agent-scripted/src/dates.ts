import { DateTime } from 'luxon';

/** A date this near in the past is one that has passed, not one of next year. */
const RECENT_DAYS = 60;

/** A weekday that is today's may be today or a week later. */
export function weekdayDates(today: DateTime, weekday: number): readonly DateTime[] {
  const coming = today.plus({ days: (weekday - today.weekday + 7) % 7 });
  return coming.hasSame(today, 'day') ? [today, today.plus({ days: 7 })] : [coming];
}

/** The weekday of the coming week, Monday to Sunday. Where it is tomorrow's as well, either may be meant. */
export function nextWeekdayDates(today: DateTime, weekday: number): readonly DateTime[] {
  const tomorrow = today.plus({ days: 1 });
  const ofNextWeek = today.plus({ days: 7 - today.weekday + weekday });
  if (tomorrow.weekday !== weekday) return [ofNextWeek];
  return [tomorrow, ofNextWeek.hasSame(tomorrow, 'day') ? tomorrow.plus({ days: 7 }) : ofNextWeek];
}

/** The next such date; without a month (0), of this month or the next two; none where there is none. */
export function calendarDates(today: DateTime, year: number, month: number, day: number): readonly DateTime[] {
  const months = [0, 1, 2].map((ahead) => today.startOf('month').plus({ months: ahead }));
  // The next 29 February may be too far away to be meant.
  const years = year > 0 ? [year] : [today.year, today.year + 1];
  const candidates = month === 0 ? months : years.map((each) => ({ year: each, month }));
  const earliest = month === 0 ? today : today.minus({ days: RECENT_DAYS });
  const found = candidates
    .map((each) => DateTime.fromObject({ year: each.year, month: each.month, day }, { zone: today.zone }))
    .find((date) => date.isValid && (year > 0 || date >= earliest));
  return found ? [found] : [];
}

/** A day as replies write it. */
export function dayText(date: DateTime): string {
  return `**${date.setLocale('en-GB').toFormat('cccc, d LLLL yyyy')}**`;
}

export function clockText(hour: number, minute: number): string {
  return `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}
