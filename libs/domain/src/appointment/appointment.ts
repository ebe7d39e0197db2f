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

/** An appointment, folded from its stream; `unbooked` before the first event. */
export interface Appointment extends Omit<BookingDetails, 'appointmentId'> {
  readonly status: 'unbooked' | AppointmentStatus;
  readonly id: string;
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

export function allowedTransitions(status: Appointment['status']): readonly AppointmentStatus[] {
  return status === 'unbooked' ? [] : TARGETS[status];
}

export function isLive({ status }: { readonly status: string }): boolean {
  return status === 'pending' || status === 'confirmed' || status === 'rescheduled';
}

export type KeyParts = Pick<Appointment, 'customerId' | 'sessionId' | 'conversationId' | 'service' | 'resourceId' | 'startsAt'>;

export function appointmentDuplicate(existingId: string): DomainError {
  const message = `The same customer has the same service at that time already, as ${existingId}.`;
  return new DomainError('appointment_duplicate', message, { extras: { existing_id: existingId } });
}

/**
 * The key that detects duplicate bookings among live appointments of a project. Two anonymous bookings of one time from different
 * conversations are no duplicates. Services are compared without case, Unicode form and surrounding space.
 */
export function naturalKey(parts: KeyParts): string {
  return keyOf(subjectsOf(parts)[0], folded(parts.service), parts);
}

/** Other keys the same booking may have had before its customer was known: of its call or conversation. */
export function anonymousKeys(parts: KeyParts): readonly string[] {
  const service = folded(parts.service);
  return subjectsOf(parts)
    .slice(1)
    .map((subject) => keyOf(subject, service, parts));
}

/** The keys of earlier versions, which compared services exactly. */
export function claimedBefore(parts: KeyParts): readonly string[] {
  if (folded(parts.service) === parts.service) return [];
  return subjectsOf(parts).map((subject) => keyOf(subject, parts.service, parts));
}

function keyOf(subject: string | null, service: string, { resourceId, startsAt }: KeyParts): string {
  return JSON.stringify([subject, service, resourceId, startsAt]);
}

function subjectsOf({ customerId, sessionId, conversationId }: KeyParts): readonly [string | null, ...string[]] {
  const [first = null, ...others] = [customerId, sessionId, conversationId].filter((id) => id !== null);
  return [first, ...others];
}

function folded(service: string): string {
  return service.trim().normalize('NFC').toLowerCase().normalize('NFC');
}
