import type { AppointmentEvent, BookingDetails } from '@domain/appointment/appointment.events';
import type { Cause } from '@domain/appointment/cause';

export const NINE = Date.UTC(2026, 2, 2, 9);
export const HALF_HOUR = 1_800_000;

export const cause: Cause = {
  reason: null,
  actor: { type: 'agent', sessionId: 'sess_1' },
  commandId: 'now',
  correlationId: 'cor_1',
  requestId: 'req_1',
  idempotencyKey: null,
};
export const details: BookingDetails = {
  appointmentId: 'apt_1',
  projectId: 'prj_1',
  customerId: 'cust_1',
  sessionId: 'sess_1',
  conversationId: null,
  externalId: null,
  service: 'dental_cleaning',
  resourceId: 'chair_2',
  startsAt: NINE,
  endsAt: NINE + HALF_HOUR,
  timeZone: 'Europe/Berlin',
  location: null,
  notes: null,
  source: 'voice_agent',
  metadata: '{}',
};
export const happened = { at: 10, projectId: 'prj_1', cause };
export const booked: AppointmentEvent = { ...happened, type: 'AppointmentBooked', ...details };
export const attemptFailed: AppointmentEvent = {
  ...happened,
  type: 'AppointmentBookingFailed',
  code: 'full',
  message: 'No slot.',
  ...details,
};
export const confirmed: AppointmentEvent = { ...happened, type: 'AppointmentConfirmed' };
export const later = { startsAt: NINE + HALF_HOUR, endsAt: NINE + 2 * HALF_HOUR };
export const rescheduled: AppointmentEvent = { ...happened, type: 'AppointmentRescheduled', ...later };
export const cancelled: AppointmentEvent = { ...happened, type: 'AppointmentCancelled', reason: null, cancelledBy: 'customer' };
export const failed: AppointmentEvent = { ...happened, type: 'AppointmentFailed', code: 'closed', message: 'Closed.' };
