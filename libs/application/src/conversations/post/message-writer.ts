import { Injectable } from '@nestjs/common';
import type { Conversation } from '@domain/conversation/conversation';
import { IdleEndDue, TurnInProgress, conversationDecider } from '@domain/conversation/conversation.decider';
import { blockingTurn } from '@domain/conversation/turn';
import { DomainError, resourceMissing } from '@domain/kernel/domain-error';
import { isId } from '@domain/kernel/ids';
import { Clock } from '@ports/clock.port';
import { EventStore } from '@ports/event-store.port';
import { Settings } from '@ports/settings.port';
import { StreamRunner } from '../../streams/stream-runner.js';
import { conversationStream, grownOrAt, messageOf } from '../conversation-stream.js';
import type { MessageView, SendMessage } from '../conversation.commands.js';
import type { MessageJob } from './pending-message.js';
import { Threads, type ConversationCreation } from '../threads.js';

export interface PostedMessage {
  readonly conversation: Conversation;
  /** Null when an earlier execution had stored it. */
  readonly message: MessageView | null;
}

/** Stores a user's message in its conversation: once, in its turn, or not at all. */
@Injectable()
export class MessagePost {
  constructor(
    private readonly streams: StreamRunner,
    private readonly store: EventStore,
    private readonly threads: Threads,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /** Refuses ids that are unknown or of another project. */
  async refuseForeign(projectId: string, conversationId: string): Promise<void> {
    if (!isId('conversation', conversationId)) throw resourceMissing('conversation');
    if (this.knows(projectId, conversationId)) return;
    const { state } = await this.streams.load(conversationStream(conversationId), conversationDecider);
    if (state.status === 'unopened' || state.projectId !== projectId) throw resourceMissing('conversation');
  }

  /** Whether the project's conversation is in memory. */
  knows(projectId: string, conversationId: string): boolean {
    const known = this.streams.known<Conversation>(conversationStream(conversationId))?.state;
    return known !== undefined && known.status !== 'unopened' && known.projectId === projectId;
  }

  /**
   * Waits for the turn before (unless the process is to end), opens the conversation if this is its first message, ends it
   * if it has idled out.
   */
  async post(
    command: SendMessage,
    job: MessageJob,
    conversationId: string,
    creation: ConversationCreation | null,
  ): Promise<PostedMessage> {
    for (;;) {
      try {
        return await this.attempt(command, job, conversationId, creation);
      } catch (error) {
        if (error instanceof IdleEndDue) await this.threads.endIdle(conversationId);
        else if (error instanceof TurnInProgress) await Promise.race([this.turnOver(conversationId, error.until), job.cut]);
        else throw error;
      }
    }
  }

  private async attempt(
    command: SendMessage,
    job: MessageJob,
    conversationId: string,
    creation: ConversationCreation | null,
  ): Promise<PostedMessage> {
    const stream = conversationStream(conversationId);
    const { state: seen } = this.streams.known<Conversation>(stream) ?? (await this.streams.seen(stream, conversationDecider));
    const opening = seen.status === 'unopened' && creation ? await this.threads.opening(creation) : null;
    const { content, plainText } = command;
    const { messageId, windowEndsAt } = job;
    const [waits, idleMs] = [!job.isCutShort, this.settings.conversationIdleMs];
    const at = this.clock.now();
    const post = { type: 'PostMessage', at, messageId, content, plainText, windowEndsAt, waits, idleMs } as const;
    const { state, events } = await this.streams.run(stream, conversationDecider, opening ? [opening, post] : post);
    const posted = events.find(({ type }) => type === 'MessagePosted');
    return { conversation: state, message: posted ? messageOf(conversationId, posted) : null };
  }

  private async turnOver(conversationId: string, until: number): Promise<void> {
    const stream = conversationStream(conversationId);
    const { state, revision } = await this.streams.load(stream, conversationDecider);
    if (!blockingTurn(state.turns, this.clock.now())) return;
    await grownOrAt(this.store, this.clock, stream, revision, until);
  }
}

export function saysEnded(error: unknown): boolean {
  return error instanceof DomainError && error.code === 'conversation_ended';
}
