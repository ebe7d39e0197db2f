import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError } from '@domain/kernel/domain-error';
import { EventStore } from '@ports/event-store.port';
import { Ids } from '@ports/ids.port';
import { idFor } from '../../request-context.js';
import { TurnAttachment } from '../turns/turn-outcomes.js';
import { TurnRunner, type TurnOutcome } from '../turns/turn-runner.js';
import { SendMessage, type MessageView, type SentMessage } from '../conversation.commands.js';
import { findTurn } from '../conversation-stream.js';
import type { MessageJob } from './pending-message.js';
import { MessageJobs } from './pending-replies.js';
import { replyTimeout } from '../message-window.js';
import { MessagePlaces, type Place } from './conversation-router.js';
import { MessagePost, saysEnded } from './message-writer.js';

interface BegunTurn {
  readonly message: MessageView;
  readonly outcome: TurnOutcome | Promise<TurnOutcome>;
}

/** Posts messages: in arrival order per conversation, one turn at a time, answered within the window. */
@CommandHandler(SendMessage)
export class SendMessageHandler implements ICommandHandler<SendMessage> {
  constructor(
    private readonly jobs: MessageJobs,
    private readonly places: MessagePlaces,
    private readonly messages: MessagePost,
    private readonly turns: TurnRunner,
    private readonly attachment: TurnAttachment,
    private readonly store: EventStore,
    private readonly ids: Ids,
  ) {}

  execute(command: SendMessage): Promise<SentMessage> {
    const messageId = idFor(this.ids, command.context, 'message', 'message');
    return this.jobs.outcome(messageId, command.windowMs, (job) => this.work(command, job));
  }

  private async work(command: SendMessage, job: MessageJob): Promise<SentMessage> {
    const before = command.context.isRetry ? await this.storedBefore(command, job) : null;
    if (before) return before;
    for (;;) {
      const place = await this.places.enter(command, job);
      job.conversationId = place.conversationId;
      try {
        await place.ticket.turn;
        return await this.take(command, job, place);
      } catch (error) {
        if (command.target.kind !== 'thread' || !saysEnded(error)) throw error;
      } finally {
        place.ticket.leave();
      }
    }
  }

  private async take(command: SendMessage, job: MessageJob, place: Place): Promise<SentMessage> {
    const { conversationId } = place;
    const begun = await this.begin(command, job, place);
    if (!begun) return this.attach(command, conversationId, job);
    return answer(await begun.outcome, begun.message, conversationId);
  }

  /**
   * Stores the message and asks for its reply; null when an earlier execution had stored it. The next in line goes on when
   * this turn is over, its window is, or the conversation.
   */
  private async begin(command: SendMessage, job: MessageJob, place: Place): Promise<BegunTurn | null> {
    const { conversationId, creation, ticket } = place;
    const { messageId } = job;
    const isAsked = this.turns.announce(messageId);
    try {
      const { conversation, message } = await this.messages.post(command, job, conversationId, creation);
      job.settle();
      if (job.isCutShort) throw replyTimeout(job);
      this.places.awaitReply(place);
      job.whenWindowIsOver(() => ticket.leave());
      if (!message) return null;
      const { content, plainText, context } = command;
      const asked = { messageId, content, plainText, request: context, isRetry: false };
      return { message, outcome: this.turns.ask(conversation, asked) };
    } finally {
      isAsked();
    }
  }

  private async attach(
    { context }: SendMessage,
    conversationId: string,
    { messageId, windowEndsAt }: MessageJob,
  ): Promise<SentMessage> {
    const outcome = await this.attachment.outcome(conversationId, messageId, { windowEndsAt, request: context });
    const stored = await findTurn(this.store, conversationId, messageId);
    if (!stored) throw new DomainError('internal_error', 'A stored message is missing.');
    return answer(outcome, stored.message, conversationId);
  }

  /** An earlier execution under the same key may have posted, even into a conversation that has ended since. */
  private async storedBefore(command: SendMessage, job: MessageJob): Promise<SentMessage | null> {
    for (const conversationId of await this.places.possibleBefore(command)) {
      if (!(await findTurn(this.store, conversationId, job.messageId))) continue;
      job.foundIn(conversationId);
      return this.attach(command, conversationId, job);
    }
    return null;
  }
}

function answer(outcome: TurnOutcome, message: SentMessage['message'], conversationId: string): SentMessage {
  if (outcome.kind === 'replied') {
    const { reply, conversation, storedBefore } = outcome;
    return { message, reply, conversation, answeredBefore: storedBefore };
  }
  const extras = { conversation_id: conversationId, message_id: message.id };
  throw new DomainError('agent_unavailable', 'The agent could not answer. The message is stored; ask again with the same key.', {
    extras,
  });
}
