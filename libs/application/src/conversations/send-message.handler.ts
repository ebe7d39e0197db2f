import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError } from '@domain/kernel/domain-error';
import { Clock } from '@ports/clock.port';
import { EventStore } from '@ports/event-store.port';
import { KeyedQueue, type Ticket } from '../keyed-queue.js';
import { Shutdown } from '../shutdown.js';
import { TurnAttachment } from '../turns/turn-attachment.js';
import { TurnRunner, type TurnOutcome } from '../turns/turn-runner.js';
import { SendMessage, type SentMessage } from './conversation.commands.js';
import { ConversationLines } from './conversation-lines.js';
import { findTurn } from './conversation-stream.js';
import { MessageJob } from './message-job.js';
import { LateRefusals, raceWindow } from './message-window.js';
import { MessagePost, saysEnded } from './message-post.js';
import { Threads, type ConversationCreation } from './threads.js';

interface Place {
  readonly conversationId: string;
  readonly creation: ConversationCreation | null;
  readonly ticket: Ticket;
}

/** Posts messages: in arrival order per conversation, one turn at a time, answered within the window. */
@CommandHandler(SendMessage)
export class SendMessageHandler implements ICommandHandler<SendMessage> {
  private readonly jobs = new Map<string, MessageJob>();
  private readonly refusals = new LateRefusals();
  private readonly resolving = new KeyedQueue();

  constructor(
    private readonly threads: Threads,
    private readonly lines: ConversationLines,
    private readonly messages: MessagePost,
    private readonly turns: TurnRunner,
    private readonly attachment: TurnAttachment,
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly shutdown: Shutdown,
  ) {}

  /** A retry under the same key has the same message id, and joins what is under way. */
  execute(command: SendMessage): Promise<SentMessage> {
    const messageId = command.origin.id('message', 'message');
    const refused = this.refusals.of(messageId);
    if (refused) return Promise.reject(refused);
    const windowEndsAt = this.clock.now() + command.windowMs;
    const job = this.jobs.get(messageId) ?? this.start(command, messageId, windowEndsAt);
    return raceWindow(job, windowEndsAt, this.clock, this.shutdown);
  }

  private start(command: SendMessage, messageId: string, windowEndsAt: number): MessageJob {
    const job = new MessageJob(this.clock, messageId, windowEndsAt, (self) => this.work(command, self));
    this.jobs.set(messageId, job);
    const forget = () => this.jobs.delete(messageId);
    job.outcome.then(forget, (error: unknown) => {
      forget();
      if (this.clock.now() >= windowEndsAt) this.refusals.remember(messageId, error);
    });
    return job;
  }

  private async work(command: SendMessage, job: MessageJob): Promise<SentMessage> {
    const before = command.origin.again ? await this.storedBefore(command, job) : null;
    if (before) return before;
    for (;;) {
      const place = await this.place(command, job);
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

  /** Finds the conversation and gets in line there, in the order in which posts to a thread arrived. */
  private async place({ origin, target }: SendMessage, job: MessageJob): Promise<Place> {
    if (target.kind === 'conversation') {
      const { conversationId } = target;
      await this.messages.refuseForeign(origin.projectId, conversationId);
      return { conversationId, creation: null, ticket: this.lines.enter(conversationId) };
    }
    const { externalId, customer, metadata } = target;
    const { projectId } = origin;
    const thread = `${projectId}\n${externalId}`;
    const known = this.resolving.has(thread) ? null : this.threads.known(projectId, externalId);
    if (known !== null) return { conversationId: known, creation: null, ticket: this.lines.enter(known) };
    return this.resolving.run(thread, async () => {
      const candidate = origin.id('conversation', `conversation for ${job.conversationId ?? 'the thread'}`);
      const made = { conversationId: candidate, projectId, externalId, customer, metadata, at: this.clock.now() };
      const { conversationId, creation } = await this.threads.resolve(made, externalId, `${origin.commandId}:${candidate}`);
      return { conversationId, creation, ticket: this.lines.enter(conversationId) };
    });
  }

  /** The next in line goes on when this turn is over, its window is, or the conversation. */
  private async take(command: SendMessage, job: MessageJob, place: Place): Promise<SentMessage> {
    const { conversationId, creation, ticket } = place;
    const { messageId, windowEndsAt } = job;
    const { conversation, postedAt } = await this.messages.post(command, messageId, conversationId, creation, windowEndsAt);
    this.lines.awaitsReply(conversationId, ticket);
    job.whenWindowIsOver(() => ticket.leave());
    if (postedAt === null) return this.attach(command, conversationId, job);
    const { content, plainText, origin } = command;
    const outcome = await this.turns.ask(conversation, { messageId, content, plainText, requestId: origin.requestId });
    const message = {
      id: messageId,
      conversationId,
      role: 'user',
      content,
      createdAt: postedAt,
      inReplyTo: null,
      actions: [],
    } as const;
    return answer(outcome, message, conversationId);
  }

  private async attach(
    { origin }: SendMessage,
    conversationId: string,
    { messageId, windowEndsAt }: MessageJob,
  ): Promise<SentMessage> {
    const { requestId } = origin;
    const outcome = await this.attachment.outcome(conversationId, messageId, { windowEndsAt, requestId });
    const stored = await findTurn(this.store, conversationId, messageId);
    if (!stored) throw new DomainError('internal_error', 'A stored message is missing.');
    return answer(outcome, stored.message, conversationId);
  }

  /** An earlier execution under the same key may have posted, even into a conversation that has ended since. */
  private async storedBefore(command: SendMessage, job: MessageJob): Promise<SentMessage | null> {
    const { origin, target } = command;
    const { projectId, startedAt } = origin;
    const places =
      target.kind === 'conversation'
        ? [target.conversationId]
        : await this.threads.holdersSince(projectId, target.externalId, startedAt);
    if (target.kind === 'conversation') await this.messages.refuseForeign(projectId, target.conversationId);
    for (const conversationId of places) {
      if (!(await findTurn(this.store, conversationId, job.messageId))) continue;
      job.conversationId = conversationId;
      return this.attach(command, conversationId, job);
    }
    return null;
  }
}

function answer(outcome: TurnOutcome, message: SentMessage['message'], conversationId: string): SentMessage {
  if (outcome.kind === 'replied') return { message, reply: outcome.reply, conversation: outcome.conversation };
  const extras = { conversation_id: conversationId, message_id: message.id };
  throw new DomainError('agent_unavailable', 'The agent could not answer. The message is stored; ask again with the same key.', {
    extras,
  });
}
