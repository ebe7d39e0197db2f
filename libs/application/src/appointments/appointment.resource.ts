import type { Appointment } from '@domain/appointment/appointment';
import type { EmittedEvent, PreviousAttributes } from '@domain/appointment/emission';
import { JsonText } from '@domain/kernel/json-text';
import { toTime } from '../read-models/time.resource.js';

/** An appointment on the wire (api-contract §8.6), in answers and in webhooks. */
export function toAppointmentResource(appointment: Appointment) {
  const { reschedule, cancellation, failure } = toStepsResource(appointment);
  return {
    id: appointment.id,
    object: 'appointment',
    status: appointment.status,
    version: appointment.version,
    customer_id: appointment.customerId,
    session_id: appointment.sessionId,
    conversation_id: appointment.conversationId,
    external_id: appointment.externalId,
    service: appointment.service,
    resource_id: appointment.resourceId,
    starts_at: toTime(appointment.startsAt),
    ends_at: toTime(appointment.endsAt),
    time_zone: appointment.timeZone,
    location: appointment.location,
    notes: appointment.notes,
    reschedule,
    cancellation,
    failure,
    source: appointment.source,
    metadata: new JsonText(appointment.metadata),
    created_at: toTime(appointment.createdAt),
    confirmed_at: toTime(appointment.confirmedAt),
    updated_at: toTime(appointment.updatedAt),
  };
}

function toStepsResource({ reschedule, cancellation, failure }: Pick<Appointment, 'reschedule' | 'cancellation' | 'failure'>) {
  return {
    reschedule: reschedule && {
      count: reschedule.count,
      previous_starts_at: toTime(reschedule.previousStartsAt),
      previous_ends_at: toTime(reschedule.previousEndsAt),
      at: toTime(reschedule.at),
    },
    cancellation: cancellation && {
      reason: cancellation.reason,
      cancelled_by: cancellation.cancelledBy,
      at: toTime(cancellation.at),
    },
    failure: failure && { code: failure.code, message: failure.message, at: toTime(failure.at) },
  };
}

/** The members whose previous values an event contains. */
const WIRE_NAMES = {
  startsAt: 'starts_at',
  endsAt: 'ends_at',
  reschedule: 'reschedule',
  cancellation: 'cancellation',
  failure: 'failure',
  confirmedAt: 'confirmed_at',
} as const satisfies Record<keyof Omit<PreviousAttributes, 'status'>, keyof ReturnType<typeof toAppointmentResource>>;

/** The `previous_attributes` of an event (api-contract §6 row 30). */
export function toPreviousAttributes({ appointment, previous }: Pick<EmittedEvent, 'appointment' | 'previous'>) {
  const { status, ...changed } = previous;
  const before = toAppointmentResource({ ...appointment, ...changed });
  const names = (Object.keys(changed) as (keyof typeof WIRE_NAMES)[]).map((key) => WIRE_NAMES[key]);
  return { status, ...Object.fromEntries(names.map((name) => [name, before[name]])) };
}
