import { DateTime } from 'luxon';
import { type Found, type Here, IS_PAST, clockText, dayOf, inFuture, instantOf } from './moments.js';
import type { Goal } from './note.js';
import type { Item } from './reading.js';

const LENGTHS = { shortest: 5, longest: 480 };
const WHICH = 'Which one do you mean?';

/** What a message says of the time of one appointment. Of parts that it asks about nothing is in the goal. */
export interface WantedTime {
  readonly goal: Goal;
  readonly minutes?: number | undefined;
  readonly asks: string | null;
}

type Now = Here & { readonly now: number };

/** Reads parts of time as one. */
export function wantedTime(items: readonly Item[], here: Now): WantedTime {
  const parts = items.map(({ time }) => time).filter((part) => part !== undefined);
  const asking = (asks: string, goal: Goal = {}) => ({ goal, asks });
  const unreadable = parts.find((part) => part.says === 'unreadable');
  if (unreadable) return asking(`I cannot read the time **${unreadable.text}**. Which time do you mean?`);
  const clocks = unique(parts.flatMap((part) => ('clock' in part ? [clockText(part.clock)] : [])));
  const instants = unique(parts.flatMap((part) => (part.says === 'instant' ? [part.at] : [])));
  const days = parts.flatMap((part) => ('day' in part ? [part.day] : []));
  const [minutes, otherLength] = unique(parts.flatMap((part) => (part.says === 'length' ? [part.minutes] : [])));
  const isFit = minutes === undefined || (Number.isInteger(minutes) && minutes >= LENGTHS.shortest && minutes <= LENGTHS.longest);
  if (!isFit || otherLength !== undefined) return asking('An appointment takes from 5 minutes to 8 hours. How long shall it be?');
  const day = dayOf(days, here);
  const date = day && 'is' in day ? { date: day.is.toISODate() ?? '' } : {};
  const [clock, ...others] = clocks;
  if (others.length > 0) return asking(`I see more than one time: **${clocks.join('**, **')}**. ${WHICH}`, date);
  if (instants.length > 0 && instants.length + clocks.length + days.length > 1)
    return asking(`I see more than one time. ${WHICH}`);
  const [at] = instants;
  if (at !== undefined) return at > here.now ? { goal: { at }, minutes, asks: null } : asking(IS_PAST);
  const rest = clock === undefined ? {} : { clock };
  if (day && 'asks' in day) return { goal: rest, minutes, asks: day.asks };
  if (day && day.is.endOf('day').toMillis() < here.now) return asking(IS_PAST);
  return { goal: { ...date, ...rest }, minutes, asks: null };
}

/** A goal with what was said later in its place. */
export function merged(before: Goal, { at, ...later }: Goal): Goal {
  if (at !== undefined) return { at };
  return Object.keys(later).length === 0 ? before : { ...before, at: undefined, ...later };
}

/** The start that a goal means; null where it is not complete. */
export function startOf({ date, clock, at }: Goal, { zone, now }: Now): Found<number> | null {
  if (at !== undefined) return inFuture(at, now);
  if (date === undefined || clock === undefined) return null;
  const [hour = 0, minute = 0] = clock.split(':').map(Number);
  return instantOf(DateTime.fromISO(date, { zone }), { hour, minute }, now);
}

/** Where a move leads from a start: what the goal leaves open stays as it is. */
export function targetOf(startsAt: number, goal: Goal, here: Now): Found<number> {
  const start = DateTime.fromMillis(startsAt, { zone: here.zone });
  if (goal.minutesLater !== undefined && goal.clock === undefined)
    return inFuture(startsAt + goal.minutesLater * 60_000, here.now);
  const date = goal.date ?? start.plus({ days: goal.daysLater ?? 0 }).toISODate() ?? '';
  return startOf({ ...goal, date, clock: goal.clock ?? start.toFormat('HH:mm') }, here) ?? { is: startsAt };
}

/** Date and clock of an instant. */
export function goalAt(at: number, { zone }: Here): Goal {
  const local = DateTime.fromMillis(at, { zone });
  return { date: local.toISODate() ?? '', clock: local.toFormat('HH:mm') };
}

function unique<Value>(values: readonly Value[]): readonly Value[] {
  return [...new Set(values)];
}
