import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError } from '@domain/kernel/domain-error';
import { EventStore } from '@ports/event-store.port';
import { TurnAttachment } from '../turns/turn-attachment.js';
import { TurnRunner, type TurnOutcome } from '../turns/turn-runner.js';
import { SendMessage, type MessageView, type SentMessage } from './conversation.commands.js';
import { findTurn } from './conversation-stream.js';
import type { MessageJob } from './message-job.js';
import { MessageJobs } from './message-jobs.js';
import { replyTimeout } from './message-window.js';
import { MessagePlaces, type Place } from './message-places.js';
import { MessagePost, isRefusal, saysEnded, type PostedMessage } from './message-post.js';
import { canBeRetold, toldBefore } from './told-before.js';

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
  ) {}

  execute(command: SendMessage): Promise<SentMessage> {
    const messageId = command.origin.id('message', 'message');
    return this.jobs.outcome(messageId, command.windowMs, (job) => this.work(command, job));
  }

  private work(command: SendMessage, job: MessageJob): Promise<SentMessage> {
    return (command.origin.again ? null : this.atOnce(command, job)) ?? this.inTurn(command, job, null);
  }

  /** Most posts need nothing of what a turn does: null where nobody knows yet whether this one does. */
  private atOnce(command: SendMessage, job: MessageJob): Promise<SentMessage> | null {
    const place = this.places.atOnce(command);
    return place && this.orInTurn(command, job, place);
  }

  /** What has no reply at once, or is refused as things look in memory, is decided again in its turn: from the place it has. */
  private async orInTurn(command: SendMessage, job: MessageJob, place: Place): Promise<SentMessage> {
    const { conversationId, ticket } = place;
    job.conversationId = conversationId;
    let answered: SentMessage | null = null;
    let keepsPlace = false;
    try {
      const posted = await this.messages.postAtOnce(command, job, conversationId);
      answered = posted && answeredAtOnce(command, posted);
      keepsPlace = answered === null;
    } catch (error) {
      keepsPlace = isRefusal(error);
      if (!keepsPlace) throw error;
    } finally {
      if (!keepsPlace) ticket.leave();
    }
    return answered ?? this.inTurn(command, job, place);
  }

  /** `held`: a place in line that this post has already. */
  private async inTurn(command: SendMessage, job: MessageJob, held: Place | null): Promise<SentMessage> {
    const before = command.origin.again ? await this.storedBefore(command, job) : null;
    if (before) return before;
    for (let first = held; ; first = null) {
      const place = first ?? (await this.places.enter(command, job));
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
      const posted = await this.messages.post(command, job, conversationId, creation);
      job.settle();
      const atOnce = answeredAtOnce(command, posted);
      if (atOnce) return { message: atOnce.message, outcome: { kind: 'replied', ...atOnce } };
      const { conversation, message } = posted;
      if (job.isCutShort) throw replyTimeout(job);
      this.places.awaitReply(place);
      job.whenWindowIsOver(() => ticket.leave());
      if (!message) return null;
      const { content, plainText, origin } = command;
      const asked = { messageId, content, plainText, request: origin, again: false };
      return { message, outcome: this.turns.ask(conversation, asked) };
    } finally {
      isAsked();
    }
  }

  private async attach(
    { origin }: SendMessage,
    conversationId: string,
    { messageId, windowEndsAt }: MessageJob,
  ): Promise<SentMessage> {
    const outcome = await this.attachment.outcome(conversationId, messageId, { windowEndsAt, request: origin });
    const stored = await findTurn(this.store, conversationId, messageId);
    if (!stored) throw new DomainError('internal_error', 'A stored message is missing.');
    return answer(outcome, stored.message, conversationId);
  }

  /** An earlier execution under the same key may have posted, even into a conversation that has ended since. */
  private async storedBefore(command: SendMessage, job: MessageJob): Promise<SentMessage | null> {
    for (const conversationId of await this.places.likelyBefore(command)) {
      const told = await this.toldBefore(command, job, conversationId);
      if (told) return told;
    }
    for (const conversationId of await this.places.possibleBefore(command)) {
      if (!(await findTurn(this.store, conversationId, job.messageId))) continue;
      const told = await this.toldBefore(command, job, conversationId);
      if (told) return told;
      job.foundIn(conversationId);
      return this.attach(command, conversationId, job);
    }
    return null;
  }

  private async toldBefore(command: SendMessage, job: MessageJob, conversationId: string): Promise<SentMessage | null> {
    const told = await toldBefore(this.store, conversationId, job.messageId);
    if (!told) return null;
    job.foundIn(conversationId);
    command.origin.retelling = 'done';
    return told;
  }
}

/** What a post is told whose reply was stored together with it; else null. */
function answeredAtOnce({ origin }: SendMessage, { conversation, revision, message, reply }: PostedMessage): SentMessage | null {
  if (!message || !reply) return null;
  if (canBeRetold(reply, revision)) origin.retelling = 'possible';
  return { message, reply, conversation };
}

function answer(outcome: TurnOutcome, message: SentMessage['message'], conversationId: string): SentMessage {
  if (outcome.kind === 'replied') return { message, reply: outcome.reply, conversation: outcome.conversation };
  const extras = { conversation_id: conversationId, message_id: message.id };
  throw new DomainError('agent_unavailable', 'The agent could not answer. The message is stored; ask again with the same key.', {
    extras,
  });
}
