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
/** Kept free for the last retry of the store: up to 5 s of backoff and 5 s for the attempt. */
const LAST_TRY_MS = 10_000;
const MAY_BE_DONE: ToolResult = {
  ok: false,
  code: 'internal_error',
  message: 'The outcome is unknown: check the appointments before you report it or try again.',
};

/**
 * The server sets project, customer and conversation, never the agent. Ids derive from the message and the call's number, so a
 * retried turn does nothing twice.
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

  /** Best effort: a failed lookup must not prevent the reply. */
  async recall(): Promise<void> {
    try {
      const isOurs = (commandId: string) => this.commands.callOf(commandId) !== null;
      for (const id of await this.ledger.known.changedBy(this.context, isOurs)) await this.done.note(id);
    } catch (error) {
      if (!(error instanceof DomainError || isRetryableStoreError(error))) this.logTrouble('lookup of effects', error);
    }
  }

  /** Retries a call while the store is unavailable. Calls are idempotent, so the agent gets the real result. */
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

  /** How long to retry the store. The last try ends within the reply window if 15 s of it are left, so the client gets the 503. */
  private get storeIsAwaitedMs(): number {
    const left = this.context.windowEndsAt - this.ledger.clock.now() - LAST_TRY_MS;
    return Math.max(MIN_STORE_AWAITED_MS, Math.min(left, GIVEN_UP_AFTER_MS));
  }

  private logTrouble(what: string, error: unknown): void {
    const { messageId, conversationId, request } = this.context;
    const line = `${what} for ${messageId} in ${conversationId} failed: ${nameOf(error)}`;
    AppointmentToolbox.logger.error(line, request.requestId === null ? {} : { request_id: request.requestId });
  }

  /** Each call has its own request context, caused by the message. `isRetry` is always true: an earlier run may have made it. */
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
