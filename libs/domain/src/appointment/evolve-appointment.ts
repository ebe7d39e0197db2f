import { unchanged } from '../kernel/decider.js';
import { remembering } from '../kernel/command-ids.js';
import type { AppointmentEvent, BookingDetails } from './appointment.events.js';
import { UNBOOKED, type Appointment, type Failure } from './appointment.js';
import type { Cause } from './cause.js';

/** Absent members keep their value. */
type Change = Partial<
  Pick<Appointment, 'status' | 'startsAt' | 'endsAt' | 'confirmedAt' | 'reschedule' | 'cancellation' | 'failure'>
>;

const PENDING_AGAIN = { status: 'pending', confirmedAt: null, cancellation: null, failure: null } as const;

export function evolveAppointment(before: Appointment, event: AppointmentEvent): Appointment {
  const { at } = event;
  switch (event.type) {
    case 'AppointmentBooked':
      return booked(event, at, { status: 'pending' });
    case 'AppointmentBookingFailed':
      return booked(event, at, failed(event));
    case 'AppointmentConfirmed':
      return changed(before, event, { status: 'confirmed', confirmedAt: at });
    case 'AppointmentRescheduled':
      return changed(before, event, { status: 'rescheduled', ...movedTo(before, event) });
    case 'AppointmentCancelled': {
      const { reason, cancelledBy } = event;
      return changed(before, event, { status: 'cancelled', cancellation: { reason, cancelledBy, at } });
    }
    case 'AppointmentRecreated':
      return changed(before, event, { status: 'pending', cancellation: null, ...movedTo(before, event) });
    case 'AppointmentRebooked': {
      const { startsAt, endsAt } = event;
      return changed(before, event, { ...PENDING_AGAIN, startsAt, endsAt });
    }
    case 'AppointmentFailed':
      return changed(before, event, failed(event));
    case 'AppointmentAmended':
      return { ...changed(before, event, {}), ...event.changes };
    default:
      return unchanged(before, event);
  }
}

function booked(event: BookingDetails & { readonly cause: Cause }, at: number, change: Change): Appointment {
  const { appointmentId: id, projectId, customerId, sessionId, conversationId, externalId, service, resourceId } = event;
  const { startsAt, endsAt, timeZone, location, notes, source, metadata, cause } = event;
  const parties = { id, projectId, customerId, sessionId, conversationId, externalId, service, resourceId, createdAt: at };
  const details = { startsAt, endsAt, timeZone, location, notes, source, metadata };
  return changed({ ...UNBOOKED, ...parties, ...details }, { at, cause }, change);
}

function changed(
  before: Appointment,
  { at, cause }: { readonly at: number; readonly cause: Cause },
  change: Change,
): Appointment {
  const commandIds = remembering(before.commandIds, cause.commandId);
  return { ...before, ...change, version: before.version + 1, updatedAt: at, commandIds };
}

function failed({ code, message, at }: Failure): Change {
  return { status: 'failed', failure: { code, message, at } };
}

function movedTo(
  { reschedule, startsAt: previousStartsAt, endsAt: previousEndsAt }: Appointment,
  { startsAt, endsAt, at }: { readonly startsAt: number; readonly endsAt: number; readonly at: number },
): Change {
  const count = (reschedule?.count ?? 0) + 1;
  return { startsAt, endsAt, confirmedAt: null, reschedule: { count, previousStartsAt, previousEndsAt, at } };
}
