import { UNBOOKED, type Appointment } from '@domain/appointment/appointment';
import type { AppointmentEvent } from '@domain/appointment/appointment.events';
import { previousAttributes } from '@domain/appointment/emission';
import { evolveAppointment } from '@domain/appointment/evolve-appointment';
import { DAY_MS, HOUR_MS } from '@ports/time-units';
import { toAppointmentResource, toPreviousAttributes } from '../../appointments/appointment.resource.js';

export interface TestEvent {
  readonly eventId: string;
  readonly appointmentId: string;
  readonly type: string;
  readonly at: number;
  readonly requestId: string | null;
}

export function toTestEvent(
  { eventId, appointmentId, type, at, requestId }: TestEvent,
  overrides: Readonly<Record<string, unknown>>,
) {
  const time = new Date(at).toISOString();
  const { before, after } = sample(appointmentId, type, at);
  const previous = toPreviousAttributes({ appointment: after, previous: previousAttributes(before, after) });
  const change = { reason: 'test', actor: { type: 'system', session_id: null }, correlation_id: null };
  return {
    id: eventId,
    object: 'event',
    type,
    api_version: 'v1',
    created_at: time,
    timestamp: time,
    sequence: 0,
    data: { object: { ...toAppointmentResource(after), ...overrides }, previous_attributes: previous },
    previous_attributes: previous,
    change: { ...change, previous_version: before.version },
    request: { id: requestId, idempotency_key: null },
    test: true,
  };
}

/** The appointment before and after such an event; a booking for any type that is not emitted. */
function sample(id: string, type: string, at: number): { readonly before: Appointment; readonly after: Appointment } {
  const startsAt = at - (at % HOUR_MS) + DAY_MS;
  const times = { startsAt, endsAt: startsAt + HOUR_MS / 2, createdAt: at, updatedAt: at };
  const booked: Appointment = { ...UNBOOKED, ...times, id, status: 'pending', version: 1, service: 'test_service' };
  const event = changeOf(type, booked, at);
  return event ? { before: booked, after: evolveAppointment(booked, event) } : { before: UNBOOKED, after: booked };
}

const CAUSE: AppointmentEvent['cause'] = {
  reason: 'test',
  actor: { type: 'system', sessionId: null },
  commandId: 'test',
  correlationId: 'test',
  requestId: null,
  idempotencyKey: null,
};

function changeOf(type: string, { projectId, startsAt, endsAt }: Appointment, at: number): AppointmentEvent | null {
  const happened = { at, projectId, cause: CAUSE };
  switch (type) {
    case 'appointment.confirmed':
      return { ...happened, type: 'AppointmentConfirmed' };
    case 'appointment.rescheduled':
      return { ...happened, type: 'AppointmentRescheduled', startsAt: startsAt + HOUR_MS, endsAt: endsAt + HOUR_MS };
    case 'appointment.cancelled':
      return { ...happened, type: 'AppointmentCancelled', reason: 'test', cancelledBy: 'system' };
    case 'appointment.failed':
      return { ...happened, type: 'AppointmentFailed', code: 'test', message: 'A test event.' };
    default:
      return null;
  }
}
