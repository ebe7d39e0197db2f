import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { BookingDetails } from '@domain/appointment/appointment.events';
import { refuseBadTimes } from '@domain/appointment/times';
import { resourceMissing } from '@domain/kernel/domain-error';
import type { Session } from '@domain/session/session.decider';
import { Clock } from '@ports/clock.port';
import { Ids } from '@ports/ids.port';
import { CustomerDirectory } from '../customers/customer-directory.js';
import { idFor, type RequestContext } from '../runtime/request-context.js';
import { SessionDirectory } from '../sessions/session-directory.js';
import { AppointmentDirectory } from './appointment-directory.js';
import { BookAppointment, type BookedAppointment } from './appointment.commands.js';
import { actorOf, causeOf, envelopeOf } from './appointment.handlers.js';
import { NaturalKeys } from './natural-keys.js';

@CommandHandler(BookAppointment)
export class BookAppointmentHandler implements ICommandHandler<BookAppointment> {
  constructor(
    private readonly appointments: AppointmentDirectory,
    private readonly keys: NaturalKeys,
    private readonly sessions: SessionDirectory,
    private readonly customers: CustomerDirectory,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  async execute(command: BookAppointment): Promise<BookedAppointment> {
    const { context, input } = command;
    refuseBadTimes(input);
    const earlier = context.isRetry ? await this.appointments.peek(appointmentIdOf(this.ids, context)) : null;
    if (earlier && earlier.status !== 'unbooked') return { appointment: earlier, deduplicated: false };
    const details = await this.detailsOf(command);
    const cause = causeOf(context, input.reason, actorOf(context, details.sessionId, command.conversationId));
    const envelope = envelopeOf(context, cause);
    const at = this.clock.now();
    if (input.as.status === 'failed') {
      const { code, message } = input.as;
      const attempt = { type: 'RecordFailedBooking', at, cause, details, code, message } as const;
      return { appointment: await this.appointments.run(details.appointmentId, attempt, envelope), deduplicated: false };
    }
    const confirmed = input.as.status === 'confirmed';
    const appointment = await this.keys.book({ type: 'BookAppointment', at, cause, details, confirmed }, envelope);
    return { appointment, deduplicated: appointment.id !== details.appointmentId };
  }

  private async detailsOf({ context, input, conversationId }: BookAppointment): Promise<BookingDetails> {
    const { projectId } = context;
    const { sessionId, externalId, service, resourceId, startsAt, endsAt, timeZone, location, notes, metadata } = input;
    const session = sessionId === null ? null : await this.sessions.load(projectId, sessionId, 'session_id');
    return {
      projectId,
      sessionId,
      externalId,
      service,
      resourceId,
      startsAt,
      endsAt,
      timeZone,
      location,
      notes,
      metadata,
      appointmentId: appointmentIdOf(this.ids, context),
      customerId: await this.customerOf({ context, input }, session),
      conversationId: conversationId ?? session?.conversationId ?? null,
      source: sessionId !== null ? 'voice_agent' : conversationId !== null ? 'conversation' : 'api',
    };
  }

  private async customerOf(
    { context, input }: Pick<BookAppointment, 'context' | 'input'>,
    session: Session | null,
  ): Promise<string | null> {
    const { projectId } = context;
    if (input.customer) {
      const candidate = idFor(this.ids, context, 'customer', 'customer');
      return (await this.customers.link(projectId, input.customer, candidate, context)).customer.id;
    }
    if (input.customerId === null) return session?.customerId ?? null;
    const customer = await this.customers.load(projectId, input.customerId, 'customer_id');
    if (customer.deletedAt !== null) throw resourceMissing('customer', 'customer_id');
    return customer.id;
  }
}

function appointmentIdOf(ids: Ids, context: RequestContext): string {
  return idFor(ids, context, 'appointment', 'appointment');
}
