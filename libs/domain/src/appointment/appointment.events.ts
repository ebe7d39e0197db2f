import type { Cause } from './cause.js';

export const APPOINTMENT_SOURCES = ['voice_agent', 'conversation', 'api'] as const;
export type AppointmentSource = (typeof APPOINTMENT_SOURCES)[number];

export const CANCELLERS = ['customer', 'business', 'agent', 'system'] as const;
export type CancelledBy = (typeof CANCELLERS)[number];

/** Times are epoch milliseconds, metadata is the JSON text as sent. */
export interface BookingDetails {
  readonly appointmentId: string;
  readonly projectId: string;
  readonly customerId: string | null;
  readonly sessionId: string | null;
  readonly conversationId: string | null;
  readonly externalId: string | null;
  readonly service: string;
  readonly resourceId: string | null;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly timeZone: string;
  readonly location: string | null;
  readonly notes: string | null;
  readonly source: AppointmentSource;
  readonly metadata: string;
}

export type AppointmentChanges = Partial<Pick<BookingDetails, 'notes' | 'location' | 'metadata'>>;

interface Happened {
  readonly at: number;
  /** On every event, so that the log of events can be listed without folding. */
  readonly projectId: string;
  readonly cause: Cause;
}

export type AppointmentEvent =
  | (Happened & { readonly type: 'AppointmentBooked' } & BookingDetails)
  | (Happened & { readonly type: 'AppointmentBookingFailed'; readonly code: string; readonly message: string } & BookingDetails)
  | (Happened & { readonly type: 'AppointmentConfirmed' })
  | (Happened & { readonly type: 'AppointmentRescheduled'; readonly startsAt: number; readonly endsAt: number })
  | (Happened & {
      readonly type: 'AppointmentCancelled';
      readonly reason: string | null;
      readonly cancelledBy: CancelledBy;
    })
  /** Booked again under the same id, as the second half of a move. */
  | (Happened & { readonly type: 'AppointmentRecreated'; readonly startsAt: number; readonly endsAt: number })
  /** Booked again under the same id, after it was cancelled or had failed. */
  | (Happened & { readonly type: 'AppointmentRebooked'; readonly startsAt: number; readonly endsAt: number })
  | (Happened & { readonly type: 'AppointmentFailed'; readonly code: string; readonly message: string })
  | (Happened & { readonly type: 'AppointmentAmended'; readonly changes: AppointmentChanges });
