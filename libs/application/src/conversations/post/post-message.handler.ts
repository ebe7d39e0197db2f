import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Conversation } from '@domain/conversation/conversation';
import type { Closure } from '@domain/conversation/conversation.events';
import { DomainError } from '@domain/kernel/domain-error';
import { correlationOf } from '@domain/kernel/envelope';
import { Clock } from '@ports/clock.port';
import type { RequestNames } from '../../runtime/request-context.js';
import { PostMessage, type PostedMessage } from '../conversation.commands.js';
import type { MessageView } from '../state/message-view.js';
import { TurnOutcomes } from '../turns/turn-outcomes.js';
import { TurnRunner, type TurnOutcome } from '../turns/turn-runner.js';
import { ConversationRouter, type QueueSlot } from './conversation-router.js';
import { MessageWriter } from './message-writer.js';
import { PendingReplies, replyTimeout, type PendingMessage } from './pending-replies.js';

const CLOSED: Readonly<Record<Closure, string>> = {
  conversation_handed_off: 'The conversation was handed off to a human before the message had its turn. The message is stored.',
  conversation_ended: 'The conversation ended before the message had its turn. The message is stored.',
};

type Answered = Omit<PostedMessage, 'isNew'>;

/** Waits for the reply as the client asks for it. A retry joins the message in progress. */
@CommandHandler(PostMessage)
export class PostMessageHandler implements ICommandHandler<PostMessage> {
  constructor(
    private readonly replies: PendingReplies,
    private readonly router: ConversationRouter,
    private readonly messages: MessageWriter,
    private readonly turns: TurnRunner,
    private readonly outcomes: TurnOutcomes,
    private readonly clock: Clock,
  ) {}

  async execute(command: PostMessage): Promise<PostedMessage> {
    const { windowMs, wait } = command.options;
    const messageId = this.router.messageIdOf(command);
    const underWay = this.replies.find(messageId);
    const pending = underWay ?? this.replies.open(messageId, windowMs);
    if (wait === 0) pending.stopWaiting();
    if (!underWay) pending.follow(this.post(correlated(command, messageId), pending));
    if (wait === 'reply') return this.replies.replyTo(pending, windowMs);
    return wait === 'stored' ? this.replies.onceStored(pending) : this.replies.replyWithin(pending, wait);
  }

  private async post(command: PostMessage, pending: PendingMessage): Promise<PostedMessage> {
    const before = command.context.isRetry ? await this.joinStored(command, pending) : null;
    if (before) return before;
    for (;;) {
      const madeId = this.router.madeBy(command, pending.conversationId);
      const slot = await this.router.enter(command, pending.conversationId);
      pending.bindTo(slot.conversationId);
      const isNew = slot.conversationId === madeId;
      try {
        return { ...(await this.takeTurn(command, pending, slot, isNew)), isNew };
      } catch (error) {
        // The conversation ended before the message was stored: its thread continues in another one.
        if (command.target.kind !== 'thread' || pending.accepted || !saysEnded(error)) throw error;
      } finally {
        slot.leave();
      }
    }
  }

  /** An earlier execution under the same key may have stored the message, even in a conversation that has ended since. */
  private async joinStored(command: PostMessage, pending: PendingMessage): Promise<PostedMessage | null> {
    for (const conversationId of await this.router.candidates(command)) {
      const isNew = conversationId === this.router.madeBy(command, null);
      const posted = await this.joinTurn(command, pending, conversationId, isNew);
      if (posted) return { ...posted, isNew };
    }
    return null;
  }

  private async takeTurn(command: PostMessage, pending: PendingMessage, slot: QueueSlot, isNew: boolean): Promise<Answered> {
    const begun = await this.beginTurn(command, pending, slot, isNew);
    if (begun) return toPosted(await begun.outcome, begun.message, command.context);
    const joined = await this.joinTurn(command, pending, slot.conversationId, isNew);
    if (!joined) throw new DomainError('internal_error', 'A stored message is missing.');
    return joined;
  }

  /** Null when an earlier execution stored the message. The next one starts when turn, window or conversation ends. */
  private async beginTurn(command: PostMessage, pending: PendingMessage, slot: QueueSlot, isNew: boolean) {
    const { messageId } = pending;
    const isAsked = this.turns.announce(messageId);
    try {
      const written = await this.messages.write(command, pending, slot);
      if (!written) {
        refuseAborted(pending);
        return null;
      }
      const { message, revision } = written;
      // `stored` would let a client that does not wait be answered 202, `pending`. No reply will come: it is answered with the outcome.
      if (written.is === 'kept') return { message, outcome: { kind: 'kept', conversation: written.conversation } as const };
      pending.stored({ ...written, isQueued: written.is === 'queued', isNew });
      const opened = written.is === 'queued' ? await this.messages.open(command, pending, slot) : written;
      refuseAborted(pending);
      if (!opened) return null;
      const { conversation } = opened;
      pending.stored({ message, conversation, isQueued: false, isNew });
      slot.awaitReply();
      const windowEndsAt = this.holdTurn(command, pending, slot, written.is === 'queued');
      const { content, plainText, context } = command;
      const asked = { messageId, revision, content, plainText, windowEndsAt, request: context, isRetry: false };
      return { message, outcome: this.turns.ask(conversation, { ...asked, run: String(revision) }) };
    } finally {
      isAsked();
    }
  }

  /** Until its window is over the next message waits. That of a queued message begins with its turn. */
  private holdTurn({ options }: PostMessage, pending: PendingMessage, slot: QueueSlot, wasQueued: boolean): number {
    if (!wasQueued) {
      void pending.windowOver.then(slot.leave);
      return pending.windowEndsAt;
    }
    const cancel = this.clock.after(options.windowMs, slot.leave);
    void pending.outcome.then(cancel, cancel);
    return this.clock.now() + options.windowMs;
  }

  /** Null where no execution has stored the message in this conversation. */
  private async joinTurn(
    { context, options: { whenHandedOff } }: PostMessage,
    pending: PendingMessage,
    conversationId: string,
    isNew: boolean,
  ): Promise<Answered | null> {
    const { messageId, windowEndsAt } = pending;
    const stored = await this.outcomes.storedTurn(conversationId, messageId);
    if (!stored) return null;
    pending.bindTo(conversationId);
    const { message, state } = stored;
    const mark = (conversation: Conversation) =>
      pending.stored({ message, conversation, isQueued: state.is === 'queued', isNew });
    // One that failed is told of once it is asked again, so that nobody takes its failure for that of this request. One that is over is
    // told of with its outcome: nobody who knows the reply hears that it is to come.
    if (state.is === 'queued' || state.is === 'open') mark(await this.outcomes.conversation(conversationId));
    const client = { windowEndsAt, request: context, whenHandedOff, reopened: mark };
    const outcome = await this.outcomes.outcome(conversationId, messageId, context.envelope, client);
    return toPosted(outcome, stored.message, context);
  }
}

/** Derived from the message's id: a retry, and a process that takes the turn over, use the same correlation id. */
function correlated({ context, target, content, plainText, options }: PostMessage, messageId: string): PostMessage {
  const envelope = { ...context.envelope, $correlationId: correlationOf(messageId) };
  return new PostMessage({ ...context, envelope }, target, content, plainText, options);
}

/** At the shutdown the request is answered now; the next start finishes the turn. */
function refuseAborted(pending: PendingMessage): void {
  if (pending.isAborted) throw replyTimeout(pending);
}

function saysEnded(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'conversation_ended';
}

function toPosted(outcome: TurnOutcome, message: MessageView, { idempotencyKey }: RequestNames): Answered {
  if (outcome.kind === 'replied') {
    const { reply, conversation, answeredBefore } = outcome;
    return { message, reply, replyStatus: 'completed', conversation, answeredBefore };
  }
  if (outcome.kind === 'kept') {
    return { message, reply: null, replyStatus: 'not_expected', conversation: outcome.conversation, answeredBefore: false };
  }
  const { retryAfter, closure } = outcome;
  const extras = { conversation_id: message.conversationId, message_id: message.id };
  if (closure) throw new DomainError(closure, CLOSED[closure], { extras });
  const advice =
    idempotencyKey === null
      ? 'read the transcript before you post it again, which would store it twice'
      : 'ask again with the same key';
  const text = `The agent could not answer. The message is stored; ${advice}.`;
  throw new DomainError('agent_unavailable', text, { extras, ...(retryAfter !== undefined && { retryAfter }) });
}
