import type { AppointmentChanges, BookingDetails, CancelledBy } from './appointment.events.js';
import type { Cause } from './cause.js';

interface Requested {
  readonly at: number;
  readonly cause: Cause;
}

interface Change extends Requested {
  readonly expectedVersion: number | null;
}

/** Without `endsAt` the appointment keeps its duration. */
interface NewTime {
  readonly startsAt: number;
  readonly endsAt: number | null;
}

export const RESCHEDULE_MODES = ['in_place', 'cancel_and_recreate'] as const;
export type RescheduleMode = (typeof RESCHEDULE_MODES)[number];

export type BookAppointment = Requested & {
  readonly type: 'BookAppointment';
  readonly details: BookingDetails;
  readonly confirmed: boolean;
};

export type AppointmentCommand =
  | BookAppointment
  | (Requested & {
      readonly type: 'RecordFailedBooking';
      readonly details: BookingDetails;
      readonly code: string;
      readonly message: string;
    })
  | (Change & { readonly type: 'ConfirmAppointment' })
  | (Change & { readonly type: 'RescheduleAppointment'; readonly mode: RescheduleMode; readonly confirm: boolean } & NewTime)
  | (Change & {
      readonly type: 'CancelAppointment';
      readonly reason: string | null;
      /** Null if the request names no one: then the customer during the call of the booking, else the business. */
      readonly cancelledBy: CancelledBy | null;
    })
  | (Change & { readonly type: 'FailAppointment'; readonly code: string; readonly message: string })
  | (Change & { readonly type: 'RebookAppointment' } & NewTime)
  | (Change & { readonly type: 'AmendAppointment'; readonly changes: AppointmentChanges });

export type AppointmentCommandOf<Type extends AppointmentCommand['type']> = Extract<AppointmentCommand, { type: Type }>;
