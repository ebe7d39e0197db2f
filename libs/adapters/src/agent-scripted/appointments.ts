import { DateTime } from 'luxon';
import { isLive } from '@domain/appointment/appointment';
import type { AppointmentSummary } from '@ports/agent.port';
import { literal } from './wording.js';
import { spelledOnce } from './zone-spelling.js';

/** Those still to come, soonest first. */
export function upcoming(appointments: readonly AppointmentSummary[], now: number): AppointmentSummary[] {
  return appointments.filter((one) => isLive(one) && one.endsAt > now).toSorted((a, b) => a.startsAt - b.startsAt);
}

function local(instant: number, zone: string): DateTime {
  const moment = DateTime.fromMillis(instant, { zone: spelledOnce(zone) });
  return (moment.isValid ? moment : DateTime.fromMillis(instant, { zone: 'utc' })).setLocale('en-GB');
}

/** "Monday, 2 March 2026 at 10:00" with its zone, and in the reader's zone too when that shows another time. */
function dateAndTime(instant: number, zone: string, readerZone: string): string {
  const there = local(instant, zone);
  const here = local(instant, readerZone);
  const isSame = there.offset === here.offset;
  const inReaderZone = there.hasSame(here.setZone(there.zone, { keepLocalTime: true }), 'day') ? 'HH:mm' : 'cccc HH:mm';
  const also = isSame ? '' : `; ${here.toFormat(inReaderZone)} ${readerZone}`;
  const name = there.zone.type === 'iana' ? zone : there.zone.name;
  return `**${there.toFormat('cccc, d LLLL yyyy')} at ${there.toFormat('HH:mm')}** (${name}${also})`;
}

/** Service, date and time; two appointments never read the same unless they are. */
export function described({ service, startsAt, timeZone }: AppointmentSummary, readerZone: string): string {
  return `**${literal(service)}** on ${dateAndTime(startsAt, timeZone, readerZone)}`;
}
