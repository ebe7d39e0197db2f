import { UNBOOKED, type Appointment } from '@domain/appointment/appointment';
import { toAppointmentResource } from '../appointments/appointment.resource.js';

export interface TestEvent {
  readonly eventId: string;
  readonly appointmentId: string;
  readonly type: string;
  readonly at: number;
  readonly requestId: string | null;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** An event about an appointment that does not exist, marked as a test. */
export function toTestEvent(
  { eventId, appointmentId, type, at, requestId }: TestEvent,
  overrides: Readonly<Record<string, unknown>>,
) {
  const time = new Date(at).toISOString();
  const previous = { status: null };
  return {
    id: eventId,
    object: 'event',
    type,
    api_version: 'v1',
    created_at: time,
    timestamp: time,
    sequence: 0,
    data: { object: { ...toAppointmentResource(sample(appointmentId, type, at)), ...overrides }, previous_attributes: previous },
    previous_attributes: previous,
    change: { reason: 'test', actor: { type: 'system', session_id: null }, correlation_id: null, previous_version: 0 },
    request: { id: requestId, idempotency_key: null },
    test: true,
  };
}

function sample(id: string, type: string, at: number): Appointment {
  const startsAt = at - (at % HOUR_MS) + DAY_MS;
  const status = STATUSES[type] ?? 'pending';
  const times = { startsAt, endsAt: startsAt + HOUR_MS / 2, createdAt: at, updatedAt: at };
  return { ...UNBOOKED, ...times, id, status, version: 1, service: 'test_service' };
}

const STATUSES: Readonly<Record<string, Appointment['status']>> = {
  'appointment.confirmed': 'confirmed',
  'appointment.rescheduled': 'rescheduled',
  'appointment.cancelled': 'cancelled',
  'appointment.failed': 'failed',
};
