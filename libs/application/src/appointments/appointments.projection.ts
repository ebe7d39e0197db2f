import { UNBOOKED, isLive, type Appointment, type AppointmentStatus } from '@domain/appointment/appointment';
import type { AppointmentEvent } from '@domain/appointment/appointment.events';
import { evolveAppointment } from '@domain/appointment/evolve-appointment';
import { renderJson } from '@domain/kernel/json-text';
import { idIn } from '@ports/stream-category';
import type { Projection } from '../read-models/projection.js';
import { toAppointmentResource } from './appointment.resource.js';

/** An appointment as lists show it. */
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
  idKind: 'appointment',
  categories: ['appointment'],
  rowIds: ({ stream }) => [idIn(stream)],
  begins: ({ revision }) => revision === 0,
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

/** Converts a row to the appointment it shows. */
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
