import type { ParsedComponents, ParsedResult } from 'chrono-node';
import { DateTime } from 'luxon';
import { MINUTE_MS } from '@ports/time-units';
import { SPEAKS_OF_DAY } from './vocabulary.js';

/** How long something lasts: "for 90 minutes", or by the clock on the wall, as from ten to six. */
export interface Length {
  readonly minutes: number;
  readonly byTheClock: boolean;
}

const DAY_MINUTES = 1_440;
const HALF_A_DAY = DAY_MINUTES / 2;

/** As if it were UTC: the parser's own moment is one of the machine's zone. */
export function wallClock(parts: ParsedComponents): Date {
  const [year, month, day] = [parts.get('year') ?? 0, parts.get('month') ?? 1, parts.get('day') ?? 1];
  return new Date(Date.UTC(year, month - 1, day, parts.get('hour') ?? 0, parts.get('minute') ?? 0));
}

/** How long "from 10 to 11:30" takes; null where no end is named, or none that can be meant. */
export function rangeOf({ start, end, text }: ParsedResult): Length | null {
  if (!end?.isCertain('hour') || !start.isCertain('hour')) return null;
  const said = endIn(text);
  const minutes = SPEAKS_OF_DAY.test(said.toLowerCase())
    ? betweenDays(wallClock(start), wallClock(end))
    : byTheClock(wallClock(start), wallClock(end), end.isCertain('meridiem') || /^\s*0\d/.test(said));
  return minutes > 0 ? { minutes, byTheClock: true } : null;
}

function endIn(text: string): string {
  const [, said] = /.*\b(?:to|until|till|til|through)\b(.*)$/is.exec(text) ?? /.*[-–—](.*)$/s.exec(text) ?? [];
  return said ?? '';
}

/** A day at most; else 0. */
function betweenDays(from: Date, to: Date): number {
  // Past midnight, more than half a year ahead: the parser puts the beginning into the next year and leaves the end in this.
  if (to < from) to.setUTCFullYear(to.getUTCFullYear() + 1);
  const minutes = (to.getTime() - from.getTime()) / MINUTE_MS;
  return minutes <= DAY_MINUTES ? minutes : 0;
}

/**
 * To the next time that the clock shows the end, half a day at most; else 0. The parser's day for an end that names none
 * tells nothing, nor its half of the day: "from 9 to 5" ends in the afternoon.
 */
function byTheClock(from: Date, to: Date, isExact: boolean): number {
  const between = (to.getTime() - from.getTime()) / MINUTE_MS;
  const ahead = ((between % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;
  const minutes = isExact || ahead <= HALF_A_DAY ? ahead : ahead - HALF_A_DAY;
  return minutes <= HALF_A_DAY ? minutes : 0;
}

/**
 * The minutes between a beginning (epoch milliseconds) and its end. At night an hour of the clock may be missing or come
 * twice: the end is the first such time behind the beginning.
 */
export function minutesFrom(start: number, { minutes, byTheClock }: Length, zone: string): number {
  if (!byTheClock) return minutes;
  const begin = DateTime.fromMillis(start, { zone });
  const shown = begin.setZone('utc', { keepLocalTime: true }).plus({ minutes }).setZone(zone, { keepLocalTime: true });
  const ends = shown.getPossibleOffsets().filter((each) => each > begin);
  const end = DateTime.min(...ends) ?? shown;
  return Math.max(1, end.diff(begin).as('minutes'));
}
