export type CalendarView = 'day' | 'week';

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** The days that a view shows from a date of the address on; today or this week where it names none. All are midnights of the viewer. */
export function daysOf(view: CalendarView, from: string | undefined): readonly Date[] {
  const date = dateOf(from);
  if (view === 'day') return [date];
  const monday = addDays(date, -((date.getDay() + 6) % 7));
  return Array.from({ length: 7 }, (_, index) => addDays(monday, index));
}

/** Midnight so many days later, whatever the clocks do in between. */
export function addDays(date: Date, days: number): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days);
}

/** As the address has it. */
export function nameOf(date: Date): string {
  const [month, day] = [date.getMonth() + 1, date.getDate()].map((number) => String(number).padStart(2, '0'));
  return `${date.getFullYear()}-${month}-${day}`;
}

export function isToday(date: Date): boolean {
  return nameOf(date) === nameOf(new Date());
}

function dateOf(text: string | undefined): Date {
  const [, year, month, day] = DATE.exec(text ?? '') ?? [];
  return addDays(year ? new Date(Number(year), Number(month) - 1, Number(day)) : new Date(), 0);
}
