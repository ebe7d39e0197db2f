import type { AppointmentEvent } from '../../../libs/domain/src/appointment/appointment.events.js';
import type { Projection } from '../../../libs/application/src/read-models/projection.js';

const DAY_MS = 86_400_000;

interface BookingsRow {
  readonly service: string;
  /** Its beginning. */
  readonly day: number;
  readonly bookings: number;
}

/** How many appointments of each service were booked for each day, also those that were moved or cancelled later. */
export const bookingsByDayProjection: Projection<AppointmentEvent, BookingsRow> = {
  schema: { name: 'bookings-by-day', version: 1, filterFields: ['service', 'day'], dueFields: [] },
  columns: {
    service: { type: 'text', meaning: 'What was booked.' },
    day: { type: 'time', meaning: 'The day in UTC that it was booked for.' },
    bookings: { type: 'integer', unit: 'appointments', meaning: 'How many were booked.' },
  },
  idKind: 'appointment',
  categories: ['appointment'],
  rowIds: ({ event }) =>
    event.type === 'AppointmentBooked' ? [`${event.projectId}.${dayOf(event.startsAt)}.${event.service}`] : [],
  begins: () => false,
  project(before, { event }) {
    if (event.type !== 'AppointmentBooked') return null;
    const { projectId, service, startsAt, at } = event;
    const row = { service, day: dayOf(startsAt), bookings: (before?.row.bookings ?? 0) + 1 };
    return { projectId, createdAt: before?.createdAt ?? at, deleted: false, row };
  },
};

function dayOf(at: number): number {
  return Math.floor(at / DAY_MS) * DAY_MS;
}
