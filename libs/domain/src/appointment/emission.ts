import type { Appointment, AppointmentStatus } from './appointment.js';
import type { AppointmentEvent } from './appointment.events.js';
import type { Actor } from './cause.js';
import { evolveAppointment } from './evolution.js';

export const EMITTED_TYPES = [
  'appointment.created',
  'appointment.confirmed',
  'appointment.rescheduled',
  'appointment.cancelled',
  'appointment.failed',
] as const;
export type EmittedType = (typeof EMITTED_TYPES)[number];

/** The members whose earlier values receivers are told when they change. */
const TOLD = ['startsAt', 'endsAt', 'reschedule', 'cancellation', 'failure', 'confirmedAt'] as const;

export type PreviousAttributes = { readonly status: AppointmentStatus | null } & Partial<
  Pick<Appointment, (typeof TOLD)[number]>
>;

/** What the world is told of one stored change. */
export interface EmittedEvent {
  readonly type: EmittedType;
  readonly at: number;
  readonly appointment: Appointment;
  /** Always the earlier status, unchanged or not, and every other member that changed. */
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
  /** The reason when the request gave none. */
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

/** The kind of event the world is told of; null when this change stays inside. */
export function emittedType(event: Pick<AppointmentEvent, 'type'>): EmittedType | null {
  return KINDS[event.type]?.type ?? null;
}

/** The one event that a stored change emits, or null when it changes no status. */
export function emission(before: Appointment, event: AppointmentEvent): EmittedEvent | null {
  const kind = KINDS[event.type];
  if (!kind) return null;
  const { reason, actor, correlationId, requestId, idempotencyKey } = event.cause;
  const appointment = evolveAppointment(before, event);
  return {
    type: kind.type,
    at: event.at,
    appointment,
    previous: previousAttributes(before, appointment),
    change: { reason: reason ?? kind.reason, actor, correlationId, previousVersion: before.version },
    request: { id: requestId, idempotencyKey },
  };
}

/** What receivers are told was different before. */
export function previousAttributes(before: Appointment, after: Appointment): PreviousAttributes {
  if (before.status === 'unbooked') return { status: null };
  const changed = TOLD.filter((key) => before[key] !== after[key]).map((key) => [key, before[key]]);
  return { status: before.status, ...Object.fromEntries(changed) };
}
