import { DateTime } from 'luxon';
import type { Scene } from './carry-out.js';
import type { Goal } from './note.js';
import type { Item } from './reading.js';
import * as replies from './replies.js';
import type { TimePart } from './times.js';

/** The value, or the question to ask the customer first. */
export type Found<Value> = { readonly is: Value } | { readonly asks: string };

const LENGTHS = { shortest: 5, longest: 480 };

export function wantedTime(
  items: readonly Item[],
  scene: Scene,
): { readonly goal: Goal; readonly minutes?: number | undefined; readonly asks: string | null } {
  const parts = items.map(({ time = {} }) => time);
  const unreadable = parts.find(({ asks, dates }) => asks !== undefined && dates === undefined)?.asks;
  if (unreadable !== undefined) return { goal: {}, asks: unreadable };
  const lengths = unique(parts.map((part) => part.minutes));
  if (lengths.length > 1 || lengths.some((minutes) => minutes < LENGTHS.shortest || minutes > LENGTHS.longest))
    return { goal: {}, asks: 'An appointment takes from 5 minutes to 8 hours. How long shall it be?' };
  const day = dayOf(parts, scene);
  const clocks = unique(parts.map(({ clock }) => clock));
  const date = day && 'is' in day ? { date: day.is.toISODate() ?? '' } : {};
  if (clocks.length > 1)
    return { goal: date, asks: `I see more than one time: **${clocks.join('**, **')}**. Which one do you mean?` };
  const asks = day && 'asks' in day ? day.asks : null;
  const [[minutes], [clock]] = [lengths, clocks];
  return { goal: asks === replies.IS_PAST ? {} : { ...date, ...(clock !== undefined && { clock }) }, minutes, asks };
}

function dayOf(parts: readonly TimePart[], { now }: Scene): Found<DateTime> | null {
  const days = parts.filter(({ dates }) => dates !== undefined);
  const asks = days.find((day) => day.asks !== undefined)?.asks;
  if (asks !== undefined) return { asks };
  const named = days.find(({ weekday }) => weekday === undefined) ?? days[0];
  if (named?.dates === undefined) return null;
  if (named.dates.length === 0) return { asks: 'I know no such date. Which day do you mean?' };
  const [one, other] = named.dates.filter((date) =>
    days.every(
      ({ weekday, dates = [] }) => weekday === date.weekday || (!weekday && dates.some((each) => each.hasSame(date, 'day'))),
    ),
  );
  if (one === undefined) return { asks: 'The days that you name do not agree. Which day do you mean?' };
  if (other !== undefined) return { asks: `Do you mean ${replies.dayText(one)} or ${replies.dayText(other)}?` };
  return one.endOf('day').toMillis() < now ? { asks: replies.IS_PAST } : { is: one };
}

export function startOf(date: string, clock: string, { today, now }: Scene): Found<number> {
  const local = `${date}T${clock}`;
  const moment = DateTime.fromISO(local, { zone: today.zone });
  const said = `${clock} on ${replies.dayText(moment)} in ${today.zoneName}`;
  if (moment.toFormat("yyyy-MM-dd'T'HH:mm") !== local)
    return { asks: `${said} does not exist: the clocks are set forward then. Which time do you mean?` };
  if (moment.getPossibleOffsets().length > 1)
    return { asks: `${said} occurs twice: the clocks are set back then. Which other time would suit you?` };
  return moment.toMillis() > now ? { is: moment.toMillis() } : { asks: replies.IS_PAST };
}

/** The target of a move; what the goal leaves open stays. */
export function targetOf(startsAt: number, { date, clock, shift }: Goal, scene: Scene): Found<number> {
  const start = DateTime.fromMillis(startsAt, { zone: scene.zone });
  const moved = goalAt(start.plus(shift ?? {}));
  // A shift by days keeps the clock, even one that does not exist on that day.
  return startOf(date ?? moved.date, clock ?? (shift?.minutes ? moved : goalAt(start)).clock, scene);
}

export function goalAt(at: DateTime): Required<Pick<Goal, 'date' | 'clock'>> {
  return { date: at.toISODate() ?? '', clock: at.toFormat('HH:mm') };
}

function unique<Value>(values: readonly (Value | undefined)[]): readonly Value[] {
  return [...new Set(values)].filter((value) => value !== undefined);
}
