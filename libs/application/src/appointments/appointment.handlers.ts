import { CommandHandler, QueryHandler, type ICommandHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Appointment } from '@domain/appointment/appointment';
import type { AppointmentCommand } from '@domain/appointment/appointment.commands';
import type { Actor, Cause } from '@domain/appointment/cause';
import { resourceMissing } from '@domain/kernel/domain-error';
import type { Envelope } from '@domain/kernel/envelope';
import { Clock } from '@ports/clock.port';
import { EventStore } from '@ports/event-store.port';
import type { CommandOrigin, RequestContext } from '../runtime/request-context.js';
import { SessionDirectory } from '../sessions/session-directory.js';
import { appointmentAsOf } from './appointment-changes.js';
import { AppointmentDirectory } from './appointment-directory.js';
import { ChangeAppointment, GetAppointment } from './appointment.commands.js';
import { NaturalKeys } from './natural-keys.js';

@CommandHandler(ChangeAppointment)
export class ChangeAppointmentHandler implements ICommandHandler<ChangeAppointment> {
  constructor(
    private readonly appointments: AppointmentDirectory,
    private readonly keys: NaturalKeys,
    private readonly sessions: SessionDirectory,
    private readonly clock: Clock,
  ) {}

  async execute({ context, appointmentId, change, reason, conversationId }: ChangeAppointment): Promise<Appointment> {
    const appointment = await this.appointments.load(context.projectId, appointmentId);
    if (context.isRetry && (await this.appointments.hasRun(appointmentId, context)))
      // The first execution's append may have landed since the appointment was loaded.
      return this.appointments.load(context.projectId, appointmentId);
    const sessionId = conversationId === null && !isOfAdmin(context) ? await this.openCallOf(appointment) : null;
    const cause = causeOf(context, reason, actorOf(context, sessionId, conversationId));
    const command: AppointmentCommand = { at: this.clock.now(), cause, ...change };
    if (command.type === 'RescheduleAppointment' || command.type === 'RebookAppointment') {
      return this.keys.move(appointment, command, envelopeOf(context, cause));
    }
    return this.appointments.run(appointmentId, command, envelopeOf(context, cause));
  }

  /** Requests do not name their call: a change counts as made on the booking's call while that is open. */
  private async openCallOf({ projectId, sessionId }: Appointment): Promise<string | null> {
    if (sessionId === null) return null;
    return this.sessions.isLive(await this.sessions.load(projectId, sessionId)) ? sessionId : null;
  }
}

@QueryHandler(GetAppointment)
export class GetAppointmentHandler implements IQueryHandler<GetAppointment> {
  constructor(
    private readonly appointments: AppointmentDirectory,
    private readonly store: EventStore,
    private readonly clock: Clock,
  ) {}

  async execute({ projectId, appointmentId, asOf }: GetAppointment): Promise<Appointment> {
    const now = await this.appointments.load(projectId, appointmentId);
    if (asOf === null || asOf >= now.updatedAt || asOf >= this.clock.now()) return now;
    const then = await appointmentAsOf(this.store, appointmentId, asOf);
    if (!then) throw resourceMissing('appointment');
    return then;
  }
}

/**
 * An administrator acts for nobody else.
 * @param conversationId where the agent of a conversation acts, whoever wrote to it
 */
export function actorOf(context: CommandOrigin, sessionId: string | null, conversationId: string | null): Actor {
  const { actor } = context.envelope;
  if (conversationId === null && actor?.type === 'admin') return { type: 'admin', sessionId: actor.sessionId ?? null };
  return { type: sessionId !== null || conversationId !== null ? 'agent' : 'client', sessionId };
}

function isOfAdmin({ envelope }: CommandOrigin): boolean {
  return envelope.actor?.type === 'admin';
}

export function causeOf(context: RequestContext, reason: string | null, actor: Actor): Cause {
  const { commandId, requestId, idempotencyKey, envelope } = context;
  return {
    reason,
    actor,
    commandId,
    correlationId: envelope.$correlationId,
    requestId,
    idempotencyKey,
  };
}

/** On a call the actor is the agent, not the key that sends the request. */
export function envelopeOf({ envelope }: RequestContext, { actor: { type, sessionId } }: Cause): Envelope {
  return envelope.actor && type === 'agent' && sessionId !== null ? { ...envelope, actor: { type, id: sessionId } } : envelope;
}
