import { Logger } from '@nestjs/common';
import {
  APPOINTMENT_TOOLS,
  BOOK_APPOINTMENT,
  CANCEL_APPOINTMENT,
  CONFIRM_APPOINTMENT,
  FIND_APPOINTMENTS,
  REPORT_FAILED_ATTEMPT,
  RESCHEDULE_APPOINTMENT,
} from '@domain/appointment/agent-tools';
import { naturalKey, type Appointment } from '@domain/appointment/appointment';
import type { AppointmentCommand } from '@domain/appointment/appointment.commands';
import { appointmentDecider } from '@domain/appointment/appointment.decider';
import { LONGEST_CODE, LONGEST_MESSAGE, LONGEST_MINUTES } from '@domain/appointment/limits';
import { USUAL_LENGTH_MS } from '@domain/appointment/times';
import type { AppointmentAction } from '@domain/conversation/reply-action';
import { DomainError, resourceMissing } from '@domain/kernel/domain-error';
import { timeOfId } from '@domain/kernel/ids';
import type { AppointmentSummary, ToolResult } from '@ports/agent.port';
import type { Clock } from '@ports/clock.port';
import { isStoreUnavailable } from '@ports/event-store.port';
import { nameOf } from '@ports/failure';
import type { Ids } from '@ports/ids.port';
import { MINUTE_MS } from '@ports/time-units';
import type { AppointmentDirectory } from '../../appointments/appointment-directory.js';
import { BookAppointment, ChangeAppointment, type AppointmentChange } from '../../appointments/appointment.commands.js';
import { actorOf, causeOf, type ChangeAppointmentHandler } from '../../appointments/appointment.handlers.js';
import type { BookAppointmentHandler } from '../../appointments/book-appointment.handler.js';
import { idFor, type RequestContext } from '../../runtime/request-context.js';
import { untilStored } from '../../runtime/until-stored.js';
import { isTheirs, type KnownAppointments } from './known-appointments.js';
import { MessageEffects } from './message-effects.js';
import { ToolArguments } from './tool-arguments.js';
import { ToolCommands } from './tool-commands.js';
import { GIVEN_UP_AFTER_MS, type ToolContext, type TurnToolbox } from './toolboxes.js';

const USUAL_MINUTES = USUAL_LENGTH_MS / MINUTE_MS;
const MOST_CALLS = 20;
const MAY_BE_DONE: ToolResult = {
  ok: false,
  code: 'internal_error',
  message: 'It may have been done or not: look at the appointments before you tell of it or do it again.',
};

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
 * The ledger's tools for one turn. Project, customer and conversation are the server's; an agent names nothing but
 * appointments, and only those it may know. The ids of what a call does come from the message and the call's number,
 * so a turn that is asked again finds its own effects.
 */
export class AppointmentToolbox implements TurnToolbox {
  private static readonly logger = new Logger(AppointmentToolbox.name);
  readonly tools = APPOINTMENT_TOOLS;
  isInDoubt = false;
  private readonly commands: ToolCommands;
  private readonly done: MessageEffects;
  private calls = 0;

  constructor(
    private readonly context: ToolContext,
    private readonly ledger: Ledger,
  ) {
    this.commands = new ToolCommands(context.messageId);
    this.done = new MessageEffects(this.commands, ledger.known, timeOfId(context.messageId));
  }

  get effects(): readonly AppointmentAction[] {
    return this.done.actions;
  }

  /** What cannot be looked up now is left out: the reply counts more. */
  async recall(): Promise<void> {
    try {
      const isOurs = (commandId: string) => this.commands.callOf(commandId) !== null;
      for (const id of await this.ledger.known.changedBy(this.context, isOurs)) await this.done.note(id);
    } catch (error) {
      if (!(error instanceof DomainError || isStoreUnavailable(error))) this.logTrouble('a look at its effects', error);
    }
  }

  /** A call that the store answers nothing is made again, which does nothing twice: what it came to is told, not guessed. */
  async call(name: string, args: unknown): Promise<ToolResult> {
    const number = ++this.calls;
    try {
      if (number > MOST_CALLS) throw new DomainError('limit_exceeded', `A turn has at most ${MOST_CALLS} tool calls.`);
      const [given, call] = [new ToolArguments(args), this.requestOf(number)];
      const run = () => this.run(name, given, call);
      return { ok: true, result: await untilStored(this.ledger.clock, GIVEN_UP_AFTER_MS, run, this.context.givenUp) };
    } catch (error) {
      if (error instanceof DomainError) return { ok: false, code: error.code, message: error.message };
      this.isInDoubt = true;
      this.logTrouble(name, error);
      return MAY_BE_DONE;
    }
  }

  private logTrouble(what: string, error: unknown): void {
    const { messageId, conversationId, request } = this.context;
    const line = `${what} for ${messageId} in ${conversationId} went wrong: ${nameOf(error)}`;
    AppointmentToolbox.logger.error(line, request.requestId === null ? {} : { request_id: request.requestId });
  }

  private run(name: string, args: ToolArguments, call: RequestContext): Promise<Result> {
    switch (name) {
      case FIND_APPOINTMENTS.name:
        return this.find(call);
      case BOOK_APPOINTMENT.name:
        return this.book(args, call);
      case CONFIRM_APPOINTMENT.name:
        return this.change(args, call, { type: 'ConfirmAppointment', expectedVersion: null });
      case RESCHEDULE_APPOINTMENT.name:
        return this.reschedule(args, call);
      case CANCEL_APPOINTMENT.name: {
        const cancel = { type: 'CancelAppointment', expectedVersion: null, cancelledBy: 'customer' } as const;
        return this.change(args, call, { ...cancel, reason: args.optionalText('reason') });
      }
      case REPORT_FAILED_ATTEMPT.name:
        return this.reportFailure(args, call);
      default:
        throw new DomainError('parameter_invalid', 'There is no such tool.');
    }
  }

  /** As it was at this call, had the turn been asked before: what its later calls did then has not happened yet. */
  private async find(call: RequestContext): Promise<Result> {
    const found = await this.ledger.known.within(this.context, this.commands.after(call));
    return { appointments: found.map(toWire) };
  }

  private async book(args: ToolArguments, call: RequestContext): Promise<Result> {
    const startsAt = args.instant('starts_at');
    const minutes = args.wholeNumber('duration_minutes', USUAL_MINUTES, LONGEST_MINUTES);
    const status = args.flag('confirm') ? 'confirmed' : 'pending';
    const booking = this.booking(args.text('service'), startsAt, startsAt + minutes * MINUTE_MS, { status });
    const found = this.context.isRetry ? await this.foundBefore(booking, call) : null;
    if (found) return { appointment: toWire(found), deduplicated: true };
    const command = new BookAppointment(call, booking, this.context.conversationId);
    const { appointment, deduplicated } = await this.ledger.booking.execute(command);
    const done = await this.done.note(appointment.id);
    return { appointment: await this.shown(appointment, call), deduplicated: deduplicated && !done.includes('created') };
  }

  /** What this call found booked when the turn was asked before: its later calls may have moved or cancelled that since. */
  private async foundBefore(booking: BookAppointment['input'], call: RequestContext): Promise<Appointment | null> {
    const own = await this.ledger.appointments.peek(idFor(this.ledger.ids, call, 'appointment', 'appointment'));
    if (own.status !== 'unbooked') return null;
    const { conversationId } = this.context;
    const key = naturalKey({ ...booking, conversationId });
    try {
      return await this.ledger.known.holderBefore(this.context, key, this.commands.after(call));
    } catch (error) {
      // While they are projected anew booking goes on: what holds the key now is found all the same.
      if (error instanceof DomainError) return null;
      throw error;
    }
  }

  private reschedule(args: ToolArguments, call: RequestContext): Promise<Result> {
    const startsAt = args.instant('starts_at');
    const move = { type: 'RescheduleAppointment', expectedVersion: null, startsAt, endsAt: null } as const;
    return this.change(args, call, { ...move, mode: 'in_place', confirm: false });
  }

  private async reportFailure(args: ToolArguments, call: RequestContext): Promise<Result> {
    const failure = { code: args.text('code', LONGEST_CODE), message: args.text('message', LONGEST_MESSAGE) };
    if (args.optionalText('appointment_id') !== null) {
      return this.change(args, call, { type: 'FailAppointment', expectedVersion: null, ...failure });
    }
    const startsAt = args.instant('starts_at');
    const attempt = this.booking(args.text('service'), startsAt, startsAt + USUAL_LENGTH_MS, {
      status: 'failed',
      ...failure,
    });
    const { appointment } = await this.ledger.booking.execute(new BookAppointment(call, attempt, this.context.conversationId));
    await this.done.note(appointment.id);
    return { appointment: await this.shown(appointment, call) };
  }

  private async change(args: ToolArguments, call: RequestContext, change: AppointmentChange): Promise<Result> {
    const id = args.text('appointment_id');
    const now = await this.refuseOthers(id);
    const idle = this.context.isRetry ? await this.unchangedBefore(now, change, call) : null;
    if (idle) return { appointment: toWire(idle) };
    const command = new ChangeAppointment(call, id, change, args.optionalText('reason'), this.context.conversationId);
    const appointment = await this.ledger.changing.execute(command);
    await this.done.note(id);
    return { appointment: await this.shown(appointment, call) };
  }

  /** A repeated call is told what it was told first; one that found the work of another call, what there is. */
  private async shown(appointment: Appointment, call: RequestContext): Promise<Result> {
    if (!appointment.commandIds.includes(call.commandId)) return toWire(appointment);
    return toWire(await this.ledger.known.asBefore(appointment, this.commands.after(call)));
  }

  /** Whatever a message says: another customer's appointment does not exist here. */
  private async refuseOthers(appointmentId: string): Promise<Appointment> {
    const appointment = await this.ledger.appointments.load(this.context.projectId, appointmentId);
    if (!isTheirs(appointment, this.context)) throw resourceMissing('appointment', 'appointment_id');
    return appointment;
  }

  /** The appointment as this call found it when the turn was asked before, where it had nothing to change in it. */
  private async unchangedBefore(now: Appointment, change: AppointmentChange, call: RequestContext): Promise<Appointment | null> {
    const then = await this.ledger.known.asBefore(now, this.commands.after(call));
    if (then === now || now.commandIds.includes(call.commandId)) return null;
    const cause = causeOf(this.ledger.ids, call, null, actorOf(null, this.context.conversationId));
    const command: AppointmentCommand = { at: then.updatedAt, cause, ...change };
    return appointmentDecider.decide(command, then).length === 0 ? then : null;
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

  /** A call is a request of its own: its ids come from the message and its number. */
  private requestOf(number: number): RequestContext {
    const { projectId, messageId, request } = this.context;
    const startedAt = timeOfId(messageId);
    return {
      projectId,
      requestId: request.requestId,
      idempotencyKey: request.idempotencyKey,
      startedAt,
      isRetry: true,
      commandId: this.commands.idOf(number),
      idSeed: [messageId, String(number)],
    };
  }
}

function toWire({ id, service, startsAt, endsAt, timeZone, status }: AppointmentSummary): Result {
  const [starts_at, ends_at] = [startsAt, endsAt].map((at) => new Date(at).toISOString());
  return { id, service, starts_at, ends_at, time_zone: timeZone, status };
}
