import { CommandHandler, QueryHandler, type ICommandHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Appointment } from '@domain/appointment/appointment';
import type { AppointmentCommand } from '@domain/appointment/appointment.commands';
import type { Actor, Cause } from '@domain/appointment/cause';
import type { Envelope } from '@domain/kernel/envelope';
import { Clock } from '@ports/clock.port';
import type { RequestContext } from '../runtime/request-context.js';
import { SessionDirectory } from '../sessions/session-directory.js';
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
    const sessionId = conversationId === null ? await this.openCallOf(appointment) : null;
    const cause = causeOf(context, reason, actorOf(sessionId, conversationId));
    const command: AppointmentCommand = { at: this.clock.now(), cause, ...change };
    if (command.type === 'RescheduleAppointment' || command.type === 'RebookAppointment') {
      return this.keys.move(appointment, command, envelopeOf(context, cause));
    }
    return this.appointments.run(appointmentId, command, envelopeOf(context, cause));
  }

  /** Requests do not name their call, so a change counts as made on the call that booked the appointment while that is open. */
  private async openCallOf({ projectId, sessionId }: Appointment): Promise<string | null> {
    if (sessionId === null) return null;
    return this.sessions.isLive(await this.sessions.load(projectId, sessionId)) ? sessionId : null;
  }
}

@QueryHandler(GetAppointment)
export class GetAppointmentHandler implements IQueryHandler<GetAppointment> {
  constructor(private readonly appointments: AppointmentDirectory) {}

  execute({ projectId, appointmentId }: GetAppointment): Promise<Appointment> {
    return this.appointments.load(projectId, appointmentId);
  }
}

/** The agent acts on calls and in conversations, the client everywhere else. */
export function actorOf(sessionId: string | null, conversationId: string | null): Actor {
  return { type: sessionId !== null || conversationId !== null ? 'agent' : 'client', sessionId };
}

/** The cause of a change: its actor, reason and request. */
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

/** The envelope of a change: on a call the agent is the actor of what a request causes, not the key that it sends. */
export function envelopeOf({ envelope }: RequestContext, { actor: { type, sessionId } }: Cause): Envelope {
  return envelope.actor && sessionId !== null ? { ...envelope, actor: { type, id: sessionId } } : envelope;
}
