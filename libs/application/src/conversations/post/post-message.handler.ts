import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError } from '@domain/kernel/domain-error';
import { correlationOf } from '@domain/kernel/envelope';
import { EventStore } from '@ports/event-store.port';
import { Ids } from '@ports/ids.port';
import { idFor, type RequestNames } from '../../runtime/request-context.js';
import { PostMessage, type PostedMessage } from '../conversation.commands.js';
import { findTurn } from '../state/conversation-stream.js';
import type { MessageView } from '../state/message-view.js';
import { TurnOutcomes } from '../turns/turn-outcomes.js';
import { TurnRunner, type TurnOutcome } from '../turns/turn-runner.js';
import { ConversationRouter, type QueueSlot } from './conversation-router.js';
import { MessageWriter } from './message-writer.js';
import { PendingReplies, replyTimeout, type PendingMessage } from './pending-replies.js';

type Answered = Omit<PostedMessage, 'isNew'>;

/** Posts a message and waits for its reply, at most for the window. A retry joins the message where it is under way. */
@CommandHandler(PostMessage)
export class PostMessageHandler implements ICommandHandler<PostMessage> {
  constructor(
    private readonly replies: PendingReplies,
    private readonly router: ConversationRouter,
    private readonly messages: MessageWriter,
    private readonly turns: TurnRunner,
    private readonly outcomes: TurnOutcomes,
    private readonly store: EventStore,
    private readonly ids: Ids,
  ) {}

  async execute(command: PostMessage): Promise<PostedMessage> {
    const messageId = idFor(this.ids, command.context, 'message', 'message');
    const underWay = this.replies.find(messageId);
    const pending = underWay ?? this.replies.open(messageId, command.windowMs);
    if (!underWay) pending.follow(this.post(correlated(command, messageId), pending));
    return this.replies.replyTo(pending, command.windowMs);
  }

  private async post(command: PostMessage, pending: PendingMessage): Promise<PostedMessage> {
    const before = command.context.isRetry ? await this.joinStored(command, pending) : null;
    if (before) return before;
    for (;;) {
      const madeId = this.router.madeBy(command, pending.conversationId);
      const slot = await this.router.enter(command, pending.conversationId);
      pending.bindTo(slot.conversationId);
      try {
        await slot.turn;
        const posted = await this.takeTurn(command, pending, slot);
        return { ...posted, isNew: slot.conversationId === madeId };
      } catch (error) {
        // The conversation ended while the message was queued: its thread goes on in another one.
        if (command.target.kind !== 'thread' || !saysEnded(error)) throw error;
      } finally {
        slot.leave();
      }
    }
  }

  /** An earlier execution under the same key may have stored the message, even in a conversation that has ended since. */
  private async joinStored(command: PostMessage, pending: PendingMessage): Promise<PostedMessage | null> {
    for (const conversationId of await this.router.candidates(command)) {
      if (!(await findTurn(this.store, conversationId, pending.messageId))) continue;
      pending.bindTo(conversationId);
      pending.stored();
      const posted = await this.joinTurn(command, pending, conversationId);
      return { ...posted, isNew: conversationId === this.router.madeBy(command, null) };
    }
    return null;
  }

  private async takeTurn(command: PostMessage, pending: PendingMessage, slot: QueueSlot): Promise<Answered> {
    const { conversationId } = slot;
    const begun = await this.beginTurn(command, pending, slot);
    return begun
      ? toPosted(await begun.outcome, begun.message, command.context)
      : this.joinTurn(command, pending, conversationId);
  }

  /**
   * Stores the message and asks for its reply; null when an earlier execution had stored it. The next in the queue has its
   * turn when this one is over, its window is, or the conversation.
   */
  private async beginTurn(command: PostMessage, pending: PendingMessage, slot: QueueSlot) {
    const { messageId } = pending;
    const isAsked = this.turns.announce(messageId);
    try {
      const { conversation, message, revision } = await this.messages.write(command, pending, slot);
      pending.stored();
      if (pending.isAborted) throw replyTimeout(pending);
      slot.awaitReply();
      void pending.windowOver.then(slot.leave);
      if (!message) return null;
      const { content, plainText, context } = command;
      const { windowEndsAt } = pending;
      const asked = { messageId, revision, content, plainText, windowEndsAt, request: context, isRetry: false };
      return { message, outcome: this.turns.ask(conversation, asked) };
    } finally {
      isAsked();
    }
  }

  private async joinTurn(command: PostMessage, pending: PendingMessage, conversationId: string): Promise<Answered> {
    const { messageId, windowEndsAt } = pending;
    const { context } = command;
    const client = { windowEndsAt, request: context };
    const outcome = await this.outcomes.outcome(conversationId, messageId, context.envelope, client);
    const stored = await findTurn(this.store, conversationId, messageId);
    if (!stored) throw new DomainError('internal_error', 'A stored message is missing.');
    return toPosted(outcome, stored.message, context);
  }
}

/** The correlation id derives from the message's id: a retry, and a process that takes the turn over, use the same one. */
function correlated({ context, target, content, plainText, windowMs }: PostMessage, messageId: string): PostMessage {
  const envelope = { ...context.envelope, $correlationId: correlationOf(messageId) };
  return new PostMessage({ ...context, envelope }, target, content, plainText, windowMs);
}

function saysEnded(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'conversation_ended';
}

function toPosted(outcome: TurnOutcome, message: MessageView, { idempotencyKey }: RequestNames): Answered {
  if (outcome.kind === 'replied') {
    const { reply, conversation, answeredBefore } = outcome;
    return { message, reply, conversation, answeredBefore };
  }
  const { retryAfter } = outcome;
  const extras = { conversation_id: message.conversationId, message_id: message.id };
  const advice =
    idempotencyKey === null
      ? 'read the transcript before you post it again, which would store it twice'
      : 'ask again with the same key';
  const text = `The agent could not answer. The message is stored; ${advice}.`;
  throw new DomainError('agent_unavailable', text, { extras, ...(retryAfter !== undefined && { retryAfter }) });
}
