import { Command, Query } from '@nestjs/cqrs';
import type { Appointment, AppointmentStatus } from '@domain/appointment/appointment';
import type { AppointmentCommand } from '@domain/appointment/appointment.commands';
import type { PastChange } from '@domain/appointment/past-change';
import type { CustomerInput } from '../customers/customer.commands.js';
import type { Page, PageRequest } from '../paging/page.js';
import type { RequestContext } from '../runtime/request-context.js';

export const BOOKED_AS = ['pending', 'confirmed', 'failed'] as const satisfies readonly AppointmentStatus[];
export type BookedAs = (typeof BOOKED_AS)[number];

/** Syntactically valid. Times are epoch milliseconds, metadata is JSON text as sent. */
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

export class BookAppointment extends Command<BookedAppointment> {
  constructor(
    readonly context: RequestContext,
    readonly input: BookingInput,
    readonly conversationId: string | null = null,
  ) {
    super();
  }
}

type ChangeOf<C> = C extends unknown ? Omit<C, 'at' | 'cause'> : never;

export type AppointmentChange = ChangeOf<
  Exclude<AppointmentCommand, { readonly type: 'BookAppointment' | 'RecordFailedBooking' }>
>;

export class ChangeAppointment extends Command<Appointment> {
  constructor(
    readonly context: RequestContext,
    readonly appointmentId: string,
    readonly change: AppointmentChange,
    readonly reason: string | null = null,
    readonly conversationId: string | null = null,
  ) {
    super();
  }
}

/** Refuses with `resource_missing`. */
export class GetAppointment extends Query<Appointment> {
  constructor(
    readonly projectId: string,
    readonly appointmentId: string,
    /** As it was at this instant (epoch milliseconds), which may be to come; null for now. */
    readonly asOf: number | null = null,
  ) {
    super();
  }
}

/** Refuses with `resource_missing` and `cursor_invalid`. */
export class ListAppointmentChanges extends Query<Page<PastChange>> {
  constructor(
    readonly projectId: string,
    readonly appointmentId: string,
    readonly page: PageRequest,
  ) {
    super();
  }
}
