import type { CommandIds } from '../kernel/command-ids.js';
import { DomainError } from '../kernel/domain-error.js';
import type { BookingDetails, CancelledBy } from './appointment.events.js';

export const APPOINTMENT_STATUSES = ['pending', 'confirmed', 'rescheduled', 'cancelled', 'failed'] as const;
export type AppointmentStatus = (typeof APPOINTMENT_STATUSES)[number];

interface Reschedule {
  readonly count: number;
  readonly previousStartsAt: number;
  readonly previousEndsAt: number;
  readonly at: number;
}

interface Cancellation {
  readonly reason: string | null;
  readonly cancelledBy: CancelledBy;
  readonly at: number;
}

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly at: number;
}

/** An appointment as its stream tells it; `unbooked` before the first event. */
export interface Appointment extends Omit<BookingDetails, 'appointmentId'> {
  readonly status: 'unbooked' | AppointmentStatus;
  readonly id: string;
  /** The number of accepted changes. */
  readonly version: number;
  readonly reschedule: Reschedule | null;
  readonly cancellation: Cancellation | null;
  readonly failure: Failure | null;
  readonly confirmedAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly commandIds: CommandIds;
}

export const UNBOOKED: Appointment = {
  status: 'unbooked',
  id: '',
  projectId: '',
  version: 0,
  customerId: null,
  sessionId: null,
  conversationId: null,
  externalId: null,
  service: '',
  resourceId: null,
  startsAt: 0,
  endsAt: 0,
  timeZone: 'UTC',
  location: null,
  notes: null,
  source: 'api',
  metadata: '{}',
  reschedule: null,
  cancellation: null,
  failure: null,
  confirmedAt: null,
  createdAt: 0,
  updatedAt: 0,
  commandIds: [],
};

const TARGETS: Readonly<Record<AppointmentStatus, readonly AppointmentStatus[]>> = {
  pending: ['confirmed', 'rescheduled', 'cancelled', 'failed'],
  confirmed: ['rescheduled', 'cancelled', 'failed'],
  rescheduled: ['confirmed', 'rescheduled', 'cancelled', 'failed'],
  cancelled: ['pending'],
  failed: ['pending'],
};

/** The statuses a command can move this one to. */
export function allowedTransitions(status: Appointment['status']): readonly AppointmentStatus[] {
  return status === 'unbooked' ? [] : TARGETS[status];
}

/** Whether the appointment is expected to take place. */
export function isLive({ status }: { readonly status: string }): boolean {
  return status === 'pending' || status === 'confirmed' || status === 'rescheduled';
}

export type KeyParts = Pick<Appointment, 'customerId' | 'sessionId' | 'conversationId' | 'service' | 'resourceId' | 'startsAt'>;

/** The refusal of a move that would give this appointment's key a second live appointment. */
export function appointmentDuplicate(existingId: string): DomainError {
  const message = `The same customer has the same service at that time already, as ${existingId}.`;
  return new DomainError('appointment_duplicate', message, { extras: { existing_id: existingId } });
}

/**
 * The key by which duplicate bookings are detected: no two live appointments of a project should share one (api-
 * contract §17.9). Two anonymous bookings of the same time from different conversations are not duplicates. A service is the
 * same in any case, Unicode form and white space around it.
 */
export function naturalKey(parts: KeyParts): string {
  return keyOf(subjectsOf(parts)[0], folded(parts.service), parts);
}

/**
 * Other keys under which the same booking may have been made before: of its call or conversation, when no customer was known
 * there yet.
 */
export function anonymousKeys(parts: KeyParts): readonly string[] {
  const service = folded(parts.service);
  return subjectsOf(parts)
    .slice(1)
    .map((subject) => keyOf(subject, service, parts));
}

/** The keys under which earlier versions stored their claims: they compared the texts of services exactly. */
export function claimedBefore(parts: KeyParts): readonly string[] {
  if (folded(parts.service) === parts.service) return [];
  return subjectsOf(parts).map((subject) => keyOf(subject, parts.service, parts));
}

function keyOf(subject: string | null, service: string, { resourceId, startsAt }: KeyParts): string {
  return JSON.stringify([subject, service, resourceId, startsAt]);
}

/** Whose the appointment is, the most certain first. */
function subjectsOf({ customerId, sessionId, conversationId }: KeyParts): readonly [string | null, ...string[]] {
  const [first = null, ...others] = [customerId, sessionId, conversationId].filter((id) => id !== null);
  return [first, ...others];
}

function folded(service: string): string {
  return service.trim().normalize('NFC').toLowerCase().normalize('NFC');
}
