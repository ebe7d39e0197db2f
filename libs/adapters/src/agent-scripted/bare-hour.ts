import { NUMBER, numberOf } from './numbers.js';
import { type TimeOfDay, afternoon } from './part-of-day.js';

/** "10", "10 please", "about 10", said when only the time was asked for. */
export function readBareHour(text: string): TimeOfDay | null {
  const match = new RegExp(
    `^(?:(?:at|around|about|maybe|let's say|say|by)? ?)(${NUMBER})(?:[ .:]?(\\d\\d))?(?: please| works| is fine| thanks| then)*[.! ]*$`,
  ).exec(text);
  if (match === null) return null;
  const [, written = '', minutes] = match;
  const hour = numberOf(written);
  const minute = Number(minutes ?? 0);
  if (hour > 23 || minute > 59) return null;
  if (hour > 12 || written.startsWith('0')) return { hour, minute };
  return { hour: afternoon(hour), minute, openHour: hour };
}
