import { remembering } from '../kernel/command-ids.js';
import { UNBOOKED, type Appointment } from './appointment.js';
import type { AppointmentEvent, BookingDetails } from './appointment.events.js';

/** An appointment after one more event. */
export function evolveAppointment(before: Appointment, event: AppointmentEvent): Appointment {
  const { at } = event;
  const commandIds = remembering(before.commandIds, event.cause.commandId);
  const appointment = { ...before, version: before.version + 1, updatedAt: at, commandIds };
  switch (event.type) {
    case 'AppointmentBooked':
      return { ...booked(event, at), commandIds, status: 'pending' };
    case 'AppointmentBookingFailed':
      return { ...booked(event, at), commandIds, status: 'failed', failure: { code: event.code, message: event.message, at } };
    case 'AppointmentConfirmed':
      return { ...appointment, status: 'confirmed', confirmedAt: at };
    case 'AppointmentRescheduled':
      return { ...movedTo(appointment, event), status: 'rescheduled' };
    case 'AppointmentCancelled': {
      const { reason, cancelledBy } = event;
      return { ...appointment, status: 'cancelled', cancellation: { reason, cancelledBy, at } };
    }
    case 'AppointmentRecreated':
      return { ...movedTo(appointment, event), status: 'pending', cancellation: null };
    case 'AppointmentRebooked': {
      const { startsAt, endsAt } = event;
      return { ...appointment, status: 'pending', startsAt, endsAt, confirmedAt: null, cancellation: null, failure: null };
    }
    case 'AppointmentFailed':
      return { ...appointment, status: 'failed', failure: { code: event.code, message: event.message, at } };
    case 'AppointmentAmended':
      return { ...appointment, ...event.changes };
  }
}

function booked(details: BookingDetails, at: number): Appointment {
  const { appointmentId: id, projectId, customerId, sessionId, conversationId, externalId, service, resourceId } = details;
  const { startsAt, endsAt, timeZone, location, notes, source, metadata } = details;
  return {
    ...UNBOOKED,
    ...{ id, projectId, customerId, sessionId, conversationId, externalId, service, resourceId },
    ...{ startsAt, endsAt, timeZone, location, notes, source, metadata },
    version: 1,
    createdAt: at,
    updatedAt: at,
  };
}

function movedTo(
  appointment: Appointment,
  { startsAt, endsAt, at }: { readonly startsAt: number; readonly endsAt: number; readonly at: number },
): Appointment {
  const { startsAt: previousStartsAt, endsAt: previousEndsAt } = appointment;
  const count = (appointment.reschedule?.count ?? 0) + 1;
  return { ...appointment, startsAt, endsAt, confirmedAt: null, reschedule: { count, previousStartsAt, previousEndsAt, at } };
}
