import type { Appointment } from '@domain/appointment/appointment';
import type { EmittedEvent, PreviousAttributes } from '@domain/appointment/emission';
import type { PastChange } from '@domain/appointment/past-change';
import { JsonText, renderJson } from '@domain/kernel/json-text';
import { toTime } from '../read-models/time.resource.js';

export function toAppointmentResource(appointment: Appointment) {
  const { reschedule, cancellation, failure } = appointment;
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
    reschedule: reschedule && toRescheduleResource(reschedule),
    cancellation: cancellation && toCancellationResource(cancellation),
    failure: failure && toFailureResource(failure),
    source: appointment.source,
    metadata: new JsonText(appointment.metadata),
    created_at: toTime(appointment.createdAt),
    confirmed_at: toTime(appointment.confirmedAt),
    updated_at: toTime(appointment.updatedAt),
  };
}

type Step<Name extends 'reschedule' | 'cancellation' | 'failure'> = NonNullable<Appointment[Name]>;

export function toRescheduleResource({ count, previousStartsAt, previousEndsAt, at }: Step<'reschedule'>) {
  return {
    count,
    previous_starts_at: toTime(previousStartsAt),
    previous_ends_at: toTime(previousEndsAt),
    at: toTime(at),
  };
}

export function toCancellationResource({ reason, cancelledBy, at }: Step<'cancellation'>) {
  return { reason, cancelled_by: cancelledBy, at: toTime(at) };
}

export function toFailureResource({ code, message, at }: Step<'failure'>) {
  return { code, message, at: toTime(at) };
}

const WIRE_NAMES = {
  startsAt: 'starts_at',
  endsAt: 'ends_at',
  reschedule: 'reschedule',
  cancellation: 'cancellation',
  failure: 'failure',
  confirmedAt: 'confirmed_at',
} as const satisfies Record<keyof Omit<PreviousAttributes, 'status'>, keyof ReturnType<typeof toAppointmentResource>>;

export function toPreviousAttributes({ appointment, previous }: Pick<EmittedEvent, 'appointment' | 'previous'>) {
  const { status, ...changed } = previous;
  const before = toAppointmentResource({ ...appointment, ...changed });
  const names = (Object.keys(changed) as (keyof typeof WIRE_NAMES)[]).map((key) => WIRE_NAMES[key]);
  return { status, ...Object.fromEntries(names.map((name) => [name, before[name]])) };
}

type Members = Readonly<Record<string, unknown>>;

/** A member of an appointment as the API shows it, before and after a change; null where it had no value. */
export type MemberChange = readonly [before: unknown, after: unknown];

/** What a change did to each member that it changed. The first names every member that has a value. */
export function toMemberChanges({ before, after }: Pick<PastChange, 'before' | 'after'>): Record<string, MemberChange> {
  const was: Members = before.status === 'unbooked' ? {} : toAppointmentResource(before);
  const members = Object.entries(toAppointmentResource(after));
  const pairs = members.map(([name, is]): [string, MemberChange] => [name, [was[name] ?? null, is]]);
  return Object.fromEntries(pairs.filter(([, [one, other]]) => renderJson(one) !== renderJson(other)));
}
