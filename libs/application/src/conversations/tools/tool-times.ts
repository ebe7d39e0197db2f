import { dateTimeOf } from '@domain/kernel/instant';
import { MINUTE_MS } from '@ports/time-units';
import { instantsOfLocalTime, offsetAt } from '../../appointments/local-times.js';

/** ISO 8601 as models write it: seconds, offset and colons may be missing, and a zone in brackets may follow the offset. */
const TIME =
  /^(?<date>\d{4}-\d{2}-\d{2})[Tt ](?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,]\d{1,9})?)?\s?(?<offset>[Zz]|[+-]\d{2}(?::?\d{2})?)?(?:\[[\w/+-]+\])?$/;

type ToolTime = { readonly at: number } | { readonly complaint: string };

function offsetText(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((part) => String(part).padStart(2, '0'));
  return `${minutes < 0 ? '-' : '+'}${hours}:${rest}`;
}

function localTime(local: string, zone: string): ToolTime {
  const shown = dateTimeOf(`${local}Z`);
  if (shown === null) return unreadable(zone);
  const [at, ...others] = instantsOfLocalTime(zone, shown);
  if (at === undefined)
    return { complaint: `does not exist in ${zone}: the clocks are put forward over ${local}. Offer another time` };
  if (others.length === 0) return { at };
  const both = [at, ...others].map((each) => local + offsetText((shown - each) / MINUTE_MS));
  return {
    complaint: `occurs twice in ${zone}, where the clocks are put back over it: ask which is meant, ${both.join(' or ')}`,
  };
}

function unreadable(zone: string): ToolTime {
  return { complaint: `must be a time such as 2026-03-01T09:00:00, which is read in ${zone} unless it has an offset` };
}

/** Accepts local time in the zone, with the zone's offset or none, or UTC with a Z. */
export function toolTime(text: string, zone: string): ToolTime {
  const { date, hour = '', minute, second = '00', offset } = TIME.exec(text.trim())?.groups ?? {};
  if (date === undefined) return unreadable(zone);
  const local = `${date}T${hour.padStart(2, '0')}:${minute}:${second}`;
  if (offset === undefined) return localTime(local, zone);
  const [, sign = '', hours = '', minutes = '00'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(offset) ?? [];
  const written = `${sign}${hours}:${minutes}`;
  const at = dateTimeOf(local + (sign === '' ? 'Z' : written));
  if (at === null) return unreadable(zone);
  return sign === '' ? { at } : atOffset(at, written, local, zone);
}

/** A model that writes an offset means local time: an offset that the zone does not have then is a mistake of an hour or more. */
function atOffset(at: number, written: string, local: string, zone: string): ToolTime {
  const shown = dateTimeOf(`${local}Z`) ?? at;
  const ahead = offsetAt(zone, at);
  if (shown - at === ahead) return { at };
  const offset = offsetText(ahead / MINUTE_MS);
  return { complaint: `has the offset ${written}, but ${zone} has ${offset} then: write ${local} without one for local time` };
}
