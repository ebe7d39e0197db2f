import { Command, Query } from '@nestjs/cqrs';
import type { Appointment, AppointmentStatus } from '@domain/appointment/appointment';
import type { AppointmentCommand } from '@domain/appointment/appointment.commands';
import type { CustomerInput } from '../customers/customer.commands.js';
import type { RequestContext } from '../runtime/request-context.js';

/** The statuses a booking may begin with. */
export const BOOKED_AS = ['pending', 'confirmed', 'failed'] as const satisfies readonly AppointmentStatus[];
export type BookedAs = (typeof BOOKED_AS)[number];

/** A booking as requested: valid in form. Times are epoch milliseconds, metadata is JSON text as sent. */
export interface BookingInput {
  readonly sessionId: string | null;
  /** The customer to link or make; at most one of this and the id is given. */
  readonly customer: CustomerInput | null;
  readonly customerId: string | null;
  readonly externalId: string | null;
  readonly service: string;
  readonly resourceId: string | null;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly timeZone: string;
  readonly location: string | null;
  readonly notes: string | null;
  readonly metadata: string;
  readonly reason: string | null;
  readonly as:
    | { readonly status: Exclude<BookedAs, 'failed'> }
    | { readonly status: 'failed'; readonly code: string; readonly message: string };
}

export interface BookedAppointment {
  readonly appointment: Appointment;
  /** A live appointment with the same natural key was there already. */
  readonly deduplicated: boolean;
}

/** Books an appointment, unless the same one is booked already. */
export class BookAppointment extends Command<BookedAppointment> {
  constructor(
    readonly context: RequestContext,
    readonly input: BookingInput,
    /** The conversation in which an agent books; null for everybody else. */
    readonly conversationId: string | null = null,
  ) {
    super();
  }
}

type ChangeOf<C> = C extends unknown ? Omit<C, 'at' | 'cause'> : never;

/** What can be asked of an appointment that is there. */
export type AppointmentChange = ChangeOf<
  Exclude<AppointmentCommand, { readonly type: 'BookAppointment' | 'RecordFailedBooking' }>
>;

/** Changes an appointment as its state machine allows; repeats change nothing. */
export class ChangeAppointment extends Command<Appointment> {
  constructor(
    readonly context: RequestContext,
    readonly appointmentId: string,
    readonly change: AppointmentChange,
    /** As the request gave it. */
    readonly reason: string | null = null,
    /** The conversation in which an agent asks; null for everybody else. */
    readonly conversationId: string | null = null,
  ) {
    super();
  }
}

export class GetAppointment extends Query<Appointment> {
  constructor(
    readonly projectId: string,
    readonly appointmentId: string,
  ) {
    super();
  }
}
