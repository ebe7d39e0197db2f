import { UNBOOKED, isLive, type Appointment, type AppointmentStatus } from '@domain/appointment/appointment';
import type { AppointmentEvent } from '@domain/appointment/appointment.events';
import { evolveAppointment } from '@domain/appointment/evolve-appointment';
import { renderJson } from '@domain/kernel/json-text';
import { idIn } from '@ports/stream-category';
import type { Projection } from '../read-models/projection.js';
import { appointmentStream } from './appointment-directory.js';
import {
  toAppointmentResource,
  toCancellationResource,
  toFailureResource,
  toRescheduleResource,
} from './appointment.resource.js';

export interface AppointmentRow extends Omit<Appointment, 'id' | 'projectId' | 'createdAt' | 'status'> {
  readonly status: AppointmentStatus;
  readonly live: boolean;
}

export const appointmentsProjection: Projection<AppointmentEvent, AppointmentRow> = {
  schema: {
    name: 'appointments',
    version: 1,
    filterFields: [
      'status',
      'live',
      'customerId',
      'sessionId',
      'conversationId',
      'resourceId',
      'externalId',
      'startsAt',
      'updatedAt',
    ],
    dueFields: [],
  },
  columns: {
    status: { type: 'text', meaning: 'Where the appointment stands.' },
    version: { type: 'integer', meaning: 'How often it has changed, its booking included.' },
    customerId: { type: 'text', meaning: 'Whom it is with; null where nobody was named.' },
    sessionId: { type: 'text', meaning: 'The call on which it was booked; null where it was not booked on one.' },
    conversationId: { type: 'text', meaning: 'The conversation in which it was booked; null where it was in none.' },
    externalId: { type: 'text', meaning: "The client's own id of the appointment; null where none was given." },
    service: { type: 'text', meaning: 'What is booked, such as `dental_cleaning`.' },
    resourceId: { type: 'text', meaning: 'Who or what it occupies, such as `chair_2`; null where nothing was named.' },
    startsAt: { type: 'time', meaning: 'When it starts.' },
    endsAt: { type: 'time', meaning: 'When it ends.' },
    timeZone: { type: 'text', meaning: 'The zone in which its times are told to people, as IANA names it.' },
    location: { type: 'text', meaning: 'Where it takes place; null where that was not said.' },
    notes: { type: 'text', meaning: 'What was noted for it; null where nothing was.' },
    source: { type: 'text', meaning: 'How it was booked.' },
    metadata: { type: 'json', meaning: 'What the client keeps with it, as it was sent.' },
    reschedule: {
      type: 'json',
      meaning: 'How often it was moved, and its latest move; null where it never was.',
      told: toRescheduleResource,
    },
    cancellation: {
      type: 'json',
      meaning: 'Who called it off, why and when; null while it is not cancelled.',
      told: toCancellationResource,
    },
    failure: { type: 'json', meaning: 'What went wrong and when; null while it has not failed.', told: toFailureResource },
    confirmedAt: {
      type: 'time',
      meaning: 'When it was last confirmed; null before that, and after a move until it is confirmed anew.',
    },
    updatedAt: { type: 'time', meaning: 'When it last changed; its booking at first.' },
    live: { leftOut: 'An index: whether `status` is one of an appointment that takes place.' },
    commandIds: { leftOut: 'Requests that were done, which the service does not do twice.' },
  },
  idKind: 'appointment',
  categories: ['appointment'],
  rowIds: ({ stream }) => [idIn(stream)],
  begins: ({ revision }) => revision === 0,
  streamsOf: (_, id) => [appointmentStream(id)],
  project(before, { event, stream }) {
    const id = idIn(stream);
    if (before === null && event.type !== 'AppointmentBooked' && event.type !== 'AppointmentBookingFailed') return null;
    const state = evolveAppointment(before === null ? UNBOOKED : toAppointment({ id, ...before }), event);
    const { id: _id, projectId, createdAt, status, ...rest } = state;
    const row: AppointmentRow = { status: status === 'unbooked' ? 'pending' : status, live: isLive(state), ...rest };
    const text = () => renderJson(toAppointmentResource(state));
    return { projectId, createdAt, deleted: false, row, text };
  },
};

export function toAppointment({
  id,
  projectId,
  createdAt,
  row,
}: {
  readonly id: string;
  readonly projectId: string;
  readonly createdAt: number;
  readonly row: AppointmentRow;
}): Appointment {
  const { live: _live, ...appointment } = row;
  return { id, projectId, createdAt, ...appointment };
}
