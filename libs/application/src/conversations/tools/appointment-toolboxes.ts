import { Injectable, Logger } from '@nestjs/common';
import { APPOINTMENT_TOOLS } from '@domain/appointment/agent-tools';
import type { AppointmentAction } from '@domain/conversation/reply-action';
import { DomainError } from '@domain/kernel/domain-error';
import { correlationOf } from '@domain/kernel/envelope';
import { timeOfId } from '@domain/kernel/ids';
import type { ToolResult } from '@ports/agent.port';
import { Clock } from '@ports/clock.port';
import { isRetryableStoreError } from '@ports/event-store.port';
import { nameOf } from '@ports/failure';
import { Ids } from '@ports/ids.port';
import { AppointmentDirectory } from '../../appointments/appointment-directory.js';
import { ChangeAppointmentHandler } from '../../appointments/appointment.handlers.js';
import { BookAppointmentHandler } from '../../appointments/book-appointment.handler.js';
import type { RequestContext } from '../../runtime/request-context.js';
import { untilStored } from '../../runtime/until-stored.js';
import { conversationStream } from '../state/conversation-stream.js';
import { KnownAppointments } from './known-appointments.js';
import { MessageEffects, ToolCommands } from './message-effects.js';
import { StartsInPast } from './starts-in-past.js';
import { ToolArguments } from './tool-arguments.js';
import { ToolRunner, type Ledger } from './tool-runner.js';
import { GIVEN_UP_AFTER_MS, Toolboxes, type ToolContext, type TurnToolbox } from './toolboxes.js';

const MAX_CALLS = 20;
const MIN_STORE_AWAITED_MS = 5_000;
/** The last pause and the last try take up to five seconds each. */
const LAST_TRY_MS = 10_000;
const MAY_BE_DONE: ToolResult = {
  ok: false,
  code: 'internal_error',
  message: 'It may have been done or not: look at the appointments before you tell of it or do it again.',
};

/**
 * The ledger's tools for one turn. Project, customer and conversation are the server's; an agent names nothing but
 * appointments, and only those it may know. The ids of what a call does come from the message and the call's number,
 * so a turn that is asked again finds its own effects.
 */
class AppointmentToolbox implements TurnToolbox {
  private static readonly logger = new Logger(AppointmentToolbox.name);
  readonly tools = APPOINTMENT_TOOLS;
  isInDoubt = false;
  private readonly commands: ToolCommands;
  private readonly done: MessageEffects;
  private calls = 0;
  private storeTrouble: Error | null = null;

  constructor(
    private readonly context: ToolContext,
    private readonly ledger: Ledger,
  ) {
    this.commands = new ToolCommands(context.messageId);
    const acceptedAt = timeOfId(context.messageId);
    this.done = new MessageEffects(this.commands, (id) => ledger.known.changesSince(id, acceptedAt));
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
      if (!(error instanceof DomainError || isRetryableStoreError(error))) this.logTrouble('a look at its effects', error);
    }
  }

  /** A call that the store answers nothing is made again, which does nothing twice: what it came to is told, not guessed. */
  async call(name: string, args: unknown): Promise<ToolResult> {
    const number = ++this.calls;
    if (this.storeTrouble !== null) throw this.storeTrouble;
    try {
      if (number > MAX_CALLS) throw new DomainError('limit_exceeded', `A turn has at most ${MAX_CALLS} tool calls.`);
      const given = new ToolArguments(args, this.context.timeZone);
      const runner = new ToolRunner(this.context, this.ledger, this.requestOf(number), this.commands, this.done);
      const run = () => runner.run(name, given);
      return { ok: true, result: await untilStored(this.ledger.clock, this.storeIsAwaitedMs, run, this.context.givenUp) };
    } catch (error) {
      if (error instanceof DomainError || error instanceof StartsInPast)
        return { ok: false, code: error.code, message: error.message };
      this.isInDoubt = true;
      if (isRetryableStoreError(error)) throw (this.storeTrouble = error as Error);
      this.logTrouble(name, error);
      return MAY_BE_DONE;
    }
  }

  /** A client learns within its window that the store is away. After the window it would learn only that the agent is slow. */
  private get storeIsAwaitedMs(): number {
    const left = this.context.windowEndsAt - this.ledger.clock.now() - LAST_TRY_MS;
    return Math.max(MIN_STORE_AWAITED_MS, Math.min(left, GIVEN_UP_AFTER_MS));
  }

  private logTrouble(what: string, error: unknown): void {
    const { messageId, conversationId, request } = this.context;
    const line = `${what} for ${messageId} in ${conversationId} went wrong: ${nameOf(error)}`;
    AppointmentToolbox.logger.error(line, request.requestId === null ? {} : { request_id: request.requestId });
  }

  /** A call is a request of its own: its ids come from the message and its number. Its cause is the message. */
  private requestOf(number: number): RequestContext {
    const { projectId, messageId, conversationId, revision, request } = this.context;
    const $causationId = `${conversationStream(conversationId)}@${revision}`;
    const startedAt = timeOfId(messageId);
    return {
      projectId,
      requestId: request.requestId,
      idempotencyKey: request.idempotencyKey,
      startedAt,
      isRetry: true,
      commandId: this.commands.idOf(number),
      idSeed: [messageId, String(number)],
      envelope: { $correlationId: correlationOf(messageId), $causationId },
    };
  }
}

/** Gives every turn the ledger's tools: the very commands that clients use. */
@Injectable()
export class AppointmentToolboxes extends Toolboxes {
  constructor(
    private readonly appointments: AppointmentDirectory,
    private readonly known: KnownAppointments,
    private readonly booking: BookAppointmentHandler,
    private readonly changing: ChangeAppointmentHandler,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {
    super();
  }

  override open(context: ToolContext): TurnToolbox {
    const { appointments, known, booking, changing, ids, clock } = this;
    return new AppointmentToolbox(context, { appointments, known, booking, changing, ids, clock });
  }
}
