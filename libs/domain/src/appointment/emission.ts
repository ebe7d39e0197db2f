import type { AppointmentEvent } from './appointment.events.js';
import type { Appointment, AppointmentStatus } from './appointment.js';
import type { Actor } from './cause.js';
import { evolveAppointment } from './evolve-appointment.js';

export const EMITTED_TYPES = [
  'appointment.created',
  'appointment.confirmed',
  'appointment.rescheduled',
  'appointment.cancelled',
  'appointment.failed',
] as const;
export type EmittedType = (typeof EMITTED_TYPES)[number];

const PREVIOUS_MEMBERS = ['startsAt', 'endsAt', 'reschedule', 'cancellation', 'failure', 'confirmedAt'] as const;

export type PreviousAttributes = { readonly status: AppointmentStatus | null } & Partial<
  Pick<Appointment, (typeof PREVIOUS_MEMBERS)[number]>
>;

export interface EmittedEvent {
  readonly type: EmittedType;
  readonly at: number;
  readonly appointment: Appointment;
  /** Always the previous status, and the previous value of every other changed member. */
  readonly previous: PreviousAttributes;
  readonly change: {
    readonly reason: string;
    readonly actor: Actor;
    readonly correlationId: string;
    readonly previousVersion: number;
  };
  readonly request: { readonly id: string | null; readonly idempotencyKey: string | null };
}

interface Kind {
  readonly type: EmittedType;
  readonly reason: string;
}

const KINDS: Readonly<Record<AppointmentEvent['type'], Kind | null>> = {
  AppointmentBooked: { type: 'appointment.created', reason: 'booked' },
  AppointmentBookingFailed: { type: 'appointment.failed', reason: 'failed' },
  AppointmentConfirmed: { type: 'appointment.confirmed', reason: 'confirmed' },
  AppointmentRescheduled: { type: 'appointment.rescheduled', reason: 'rescheduled' },
  AppointmentCancelled: { type: 'appointment.cancelled', reason: 'cancelled' },
  AppointmentRecreated: { type: 'appointment.created', reason: 'rescheduling' },
  AppointmentRebooked: { type: 'appointment.created', reason: 'rebooked' },
  AppointmentFailed: { type: 'appointment.failed', reason: 'failed' },
  AppointmentAmended: null,
};

export function emittedType(event: Pick<AppointmentEvent, 'type'>): EmittedType | null {
  return KINDS[event.type]?.type ?? null;
}

/** That of the request, or a word for the kind of change. */
export function changeReason({ type, cause }: Pick<AppointmentEvent, 'type' | 'cause'>): string {
  return cause.reason ?? KINDS[type]?.reason ?? 'amended';
}

/** The event that a stored change emits; null if it changes no status. */
export function emission(before: Appointment, event: AppointmentEvent): EmittedEvent | null {
  const kind = KINDS[event.type];
  if (!kind) return null;
  const { actor, correlationId, requestId, idempotencyKey } = event.cause;
  const appointment = evolveAppointment(before, event);
  return {
    type: kind.type,
    at: event.at,
    appointment,
    previous: previousAttributes(before, appointment),
    change: { reason: changeReason(event), actor, correlationId, previousVersion: before.version },
    request: { id: requestId, idempotencyKey },
  };
}

export function previousAttributes(before: Appointment, after: Appointment): PreviousAttributes {
  if (before.status === 'unbooked') return { status: null };
  const changed = PREVIOUS_MEMBERS.filter((key) => before[key] !== after[key]).map((key) => [key, before[key]]);
  return { status: before.status, ...Object.fromEntries(changed) };
}
