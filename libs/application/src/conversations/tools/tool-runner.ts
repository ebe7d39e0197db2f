import {
  BOOK_APPOINTMENT,
  CANCEL_APPOINTMENT,
  CONFIRM_APPOINTMENT,
  FIND_APPOINTMENTS,
  REPORT_FAILED_ATTEMPT,
  RESCHEDULE_APPOINTMENT,
} from '@domain/appointment/agent-tools';
import { appointmentDuplicate, naturalKey, type Appointment } from '@domain/appointment/appointment';
import type { AppointmentCommand } from '@domain/appointment/appointment.commands';
import { appointmentDecider } from '@domain/appointment/appointment.decider';
import { MAX_CODE_LENGTH, MAX_MESSAGE_LENGTH, MAX_MINUTES } from '@domain/appointment/limits';
import { USUAL_LENGTH_MS } from '@domain/appointment/times';
import { DomainError, resourceMissing } from '@domain/kernel/domain-error';
import { timeOfId } from '@domain/kernel/ids';
import type { Clock } from '@ports/clock.port';
import type { Ids } from '@ports/ids.port';
import { MINUTE_MS } from '@ports/time-units';
import type { AppointmentDirectory } from '../../appointments/appointment-directory.js';
import { BookAppointment, ChangeAppointment, type AppointmentChange } from '../../appointments/appointment.commands.js';
import { actorOf, causeOf, type ChangeAppointmentHandler } from '../../appointments/appointment.handlers.js';
import type { BookAppointmentHandler } from '../../appointments/book-appointment.handler.js';
import { idFor, type RequestContext } from '../../runtime/request-context.js';
import { isTheirs, type KnownAppointment, type KnownAppointments } from './known-appointments.js';
import type { MessageEffects, ToolCommands } from './message-effects.js';
import { StartsInPast } from './starts-in-past.js';
import type { ToolArguments } from './tool-arguments.js';
import type { ToolContext } from './toolboxes.js';

const USUAL_MINUTES = USUAL_LENGTH_MS / MINUTE_MS;

export interface Ledger {
  readonly appointments: AppointmentDirectory;
  readonly known: KnownAppointments;
  readonly booking: BookAppointmentHandler;
  readonly changing: ChangeAppointmentHandler;
  readonly ids: Ids;
  readonly clock: Clock;
}

type Result = Readonly<Record<string, unknown>>;

/**
 * Runs one tool call. A turn is retried after a crash, with its calls numbered as before: a retried call returns its first result,
 * does nothing twice, and does not see what later calls did in the previous run.
 */
export class ToolRunner {
  /** True for commands of later calls, which a previous run of the turn made. */
  private readonly isLater: (commandId: string) => boolean;

  constructor(
    private readonly context: ToolContext,
    private readonly ledger: Ledger,
    private readonly call: RequestContext,
    commands: ToolCommands,
    private readonly done: MessageEffects,
  ) {
    this.isLater = commands.after(call);
  }

  /** Rejects with `DomainError` or `StartsInPast` if the call is refused. After any other error it is safe to retry. */
  run(name: string, args: ToolArguments): Promise<Result> {
    switch (name) {
      case FIND_APPOINTMENTS.name:
        return this.find();
      case BOOK_APPOINTMENT.name:
        return this.book(args);
      case CONFIRM_APPOINTMENT.name:
        return this.change(args, { type: 'ConfirmAppointment', expectedVersion: null });
      case RESCHEDULE_APPOINTMENT.name:
        return this.reschedule(args);
      case CANCEL_APPOINTMENT.name: {
        const cancel = { type: 'CancelAppointment', expectedVersion: null, cancelledBy: 'customer' } as const;
        return this.change(args, { ...cancel, reason: args.optionalText('reason') });
      }
      case REPORT_FAILED_ATTEMPT.name:
        return this.reportFailure(args);
      default:
        throw new DomainError('parameter_invalid', 'There is no such tool.');
    }
  }

  private async find(): Promise<Result> {
    const found = await this.ledger.known.within(this.context, this.isLater);
    return { appointments: found.map(toWire) };
  }

  private async book(args: ToolArguments): Promise<Result> {
    const startsAt = this.futureStart(args);
    const minutes = args.wholeNumber('duration_minutes', USUAL_MINUTES, MAX_MINUTES);
    const status = args.flag('confirm') ? 'confirmed' : 'pending';
    const booking = this.booking(args.text('service'), startsAt, startsAt + minutes * MINUTE_MS, { status });
    const found = this.context.isRetry ? await this.foundBefore(booking) : null;
    if (found) return { appointment: toWire(found), deduplicated: true };
    const command = new BookAppointment(this.call, booking, this.context.conversationId);
    const { appointment, deduplicated } = await this.ledger.booking.execute(command);
    const done = await this.done.note(appointment.id);
    return { appointment: await this.shown(appointment), deduplicated: deduplicated && !done.includes('created') };
  }

  /** The appointment that this booking duplicates, before later calls changed it; null if the call booked one of its own. */
  private async foundBefore(booking: BookAppointment['input']): Promise<Appointment | null> {
    const own = await this.ledger.appointments.peek(idFor(this.ledger.ids, this.call, 'appointment', 'appointment'));
    if (own.status !== 'unbooked') return null;
    const { conversationId } = this.context;
    return this.holderBefore(naturalKey({ ...booking, conversationId }));
  }

  private async holderBefore(key: string): Promise<Appointment | null> {
    try {
      return await this.ledger.known.holderBefore(this.context, key, this.isLater);
    } catch (error) {
      // While the read model is unavailable, the command runs: it finds the holder by the claim on the natural key.
      if (error instanceof DomainError) return null;
      throw error;
    }
  }

  private reschedule(args: ToolArguments): Promise<Result> {
    const startsAt = this.futureStart(args);
    const move = { type: 'RescheduleAppointment', expectedVersion: null, startsAt, endsAt: null } as const;
    return this.change(args, { ...move, mode: 'in_place', confirm: false });
  }

  /** On a retry, "past" means before the message was accepted, so that a late retry is not refused. */
  private futureStart(args: ToolArguments): number {
    const startsAt = args.instant('starts_at');
    const { isRetry, messageId } = this.context;
    StartsInPast.refuse(startsAt, isRetry ? timeOfId(messageId) : this.ledger.clock.now());
    return startsAt;
  }

  private async reportFailure(args: ToolArguments): Promise<Result> {
    const failure = { code: args.text('code', MAX_CODE_LENGTH), message: args.text('message', MAX_MESSAGE_LENGTH) };
    if (args.optionalText('appointment_id') !== null) {
      return this.change(args, { type: 'FailAppointment', expectedVersion: null, ...failure });
    }
    const startsAt = args.instant('starts_at');
    const attempt = this.booking(args.text('service'), startsAt, startsAt + USUAL_LENGTH_MS, {
      status: 'failed',
      ...failure,
    });
    const { appointment } = await this.ledger.booking.execute(
      new BookAppointment(this.call, attempt, this.context.conversationId),
    );
    await this.done.note(appointment.id);
    return { appointment: await this.shown(appointment) };
  }

  private async change(args: ToolArguments, change: AppointmentChange): Promise<Result> {
    const id = args.text('appointment_id');
    const now = await this.refuseOthers(id);
    const idle = this.context.isRetry ? await this.unchangedBefore(now, change) : null;
    if (idle) return { appointment: toWire(idle) };
    if (this.context.isRetry && change.type === 'RescheduleAppointment') await this.refuseTakenBefore(now, change.startsAt);
    const command = new ChangeAppointment(this.call, id, change, args.optionalText('reason'), this.context.conversationId);
    const appointment = await this.ledger.changing.execute(command);
    await this.done.note(id);
    return { appointment: await this.shown(appointment) };
  }

  /** The appointment as this call left it; its current state if the call changed nothing. */
  private async shown(appointment: Appointment): Promise<Result> {
    if (!appointment.commandIds.includes(this.call.commandId)) return toWire(appointment);
    return toWire(await this.ledger.known.asBefore(appointment, this.isLater));
  }

  /** Another customer's appointment is reported as not found, even if this customer's message names it. */
  private async refuseOthers(appointmentId: string): Promise<Appointment> {
    const appointment = await this.ledger.appointments.load(this.context.projectId, appointmentId);
    if (!isTheirs(appointment, this.context)) throw resourceMissing('appointment', 'appointment_id');
    return appointment;
  }

  /** The state before later calls changed it, if this call did not and would not change it; otherwise null. */
  private async unchangedBefore(now: Appointment, change: AppointmentChange): Promise<Appointment | null> {
    const then = await this.ledger.known.asBefore(now, this.isLater);
    if (then === now || now.commandIds.includes(this.call.commandId)) return null;
    const cause = causeOf(this.call, null, actorOf(this.call, null, this.context.conversationId));
    const command: AppointmentCommand = { at: then.updatedAt, cause, ...change };
    return appointmentDecider.decide(command, then).length === 0 ? then : null;
  }

  /** Refuses a start that another appointment held in the previous run, even if later calls have freed it. */
  private async refuseTakenBefore(now: Appointment, startsAt: number): Promise<void> {
    const holder = await this.holderBefore(naturalKey({ ...now, startsAt }));
    if (!holder || holder.id === now.id || (await this.ledger.appointments.hasRun(now.id, this.call))) return;
    throw appointmentDuplicate(holder.id);
  }

  private booking(
    service: string,
    startsAt: number,
    endsAt: number,
    as: BookAppointment['input']['as'],
  ): BookAppointment['input'] {
    const { customerId, timeZone } = this.context;
    const nothing = {
      sessionId: null,
      customer: null,
      externalId: null,
      resourceId: null,
      location: null,
      notes: null,
      reason: null,
    };
    return { ...nothing, customerId, service, startsAt, endsAt, timeZone, metadata: '{}', as };
  }
}

function toWire({ id, service, startsAt, endsAt, timeZone, status, version }: KnownAppointment): Result {
  const [starts_at, ends_at] = [startsAt, endsAt].map((at) => new Date(at).toISOString());
  return { id, service, starts_at, ends_at, time_zone: timeZone, status, version };
}
