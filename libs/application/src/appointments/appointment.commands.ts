import { Command, Query } from '@nestjs/cqrs';
import type { Appointment, AppointmentStatus } from '@domain/appointment/appointment';
import type { AppointmentCommand } from '@domain/appointment/appointment.commands';
import type { CustomerInput } from '../customers/customer.commands.js';
import type { RequestContext } from '../runtime/request-context.js';

/** The possible initial statuses. */
export const BOOKED_AS = ['pending', 'confirmed', 'failed'] as const satisfies readonly AppointmentStatus[];
export type BookedAs = (typeof BOOKED_AS)[number];

/** A booking in a request, syntactically valid. Times are epoch milliseconds, metadata is JSON text as sent. */
export interface BookingInput {
  readonly sessionId: string | null;
  /** The customer to find or create; at most one of this and `customerId` is given. */
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
  /** A live appointment with the same natural key existed already. */
  readonly deduplicated: boolean;
}

/** Books an appointment, unless the same one is booked already. */
export class BookAppointment extends Command<BookedAppointment> {
  constructor(
    readonly context: RequestContext,
    readonly input: BookingInput,
    /** The conversation in which the agent books; null if no agent does. */
    readonly conversationId: string | null = null,
  ) {
    super();
  }
}

type ChangeOf<C> = C extends unknown ? Omit<C, 'at' | 'cause'> : never;

/** The commands of an existing appointment. */
export type AppointmentChange = ChangeOf<
  Exclude<AppointmentCommand, { readonly type: 'BookAppointment' | 'RecordFailedBooking' }>
>;

/** Changes an appointment as its state machine allows; a repetition changes nothing. */
export class ChangeAppointment extends Command<Appointment> {
  constructor(
    readonly context: RequestContext,
    readonly appointmentId: string,
    readonly change: AppointmentChange,
    /** The reason in the request. */
    readonly reason: string | null = null,
    /** The conversation in which the agent makes the change; null if no agent does. */
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
