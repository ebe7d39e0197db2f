import { Injectable } from '@nestjs/common';
import type { Conversation } from '@domain/conversation/conversation';
import { KeyedQueue } from '@kit/keyed-queue';
import { Clock } from '@ports/clock.port';
import { Ids } from '@ports/ids.port';
import { idFor, partOf } from '../../runtime/request-context.js';
import { StreamRunner } from '../../streams/stream-runner.js';
import type { PostMessage } from '../conversation.commands.js';
import { conversationStream, loadConversation } from '../state/conversation-stream.js';
import { Threads, type ConversationCreation } from '../threads.js';

/** The holder must call `leave`. */
export interface QueueSlot {
  readonly conversationId: string;
  /** What the conversation becomes if it is not opened yet; null for one that exists. */
  readonly creation: ConversationCreation | null;
  readonly turn: Promise<void>;
  /** The message is stored and waits for its reply: from now on `release` also ends the slot. */
  awaitReply(): void;
  /** A second call does nothing. */
  leave(): void;
}

/** This process's messages by conversation: one turn at a time, in order of arrival. */
@Injectable()
export class ConversationQueue {
  private readonly queue = new KeyedQueue();
  private readonly awaitingReply = new Map<string, QueueSlot>();

  enter(conversationId: string, creation: ConversationCreation | null = null): QueueSlot {
    const { turn, leave } = this.queue.enter(conversationId);
    const slot: QueueSlot = {
      conversationId,
      creation,
      turn,
      awaitReply: () => void this.awaitingReply.set(conversationId, slot),
      leave: () => {
        if (this.awaitingReply.get(conversationId) === slot) this.awaitingReply.delete(conversationId);
        leave();
      },
    };
    return slot;
  }

  /** The conversation has ended, or was handed off: queued messages stop waiting for the reply ahead. */
  release(conversationId: string): void {
    this.awaitingReply.get(conversationId)?.leave();
  }
}

@Injectable()
export class ConversationRouter {
  /** Posts to threads whose conversation is being looked up, in order of arrival. */
  private readonly resolving = new KeyedQueue();

  constructor(
    private readonly threads: Threads,
    private readonly queue: ConversationQueue,
    private readonly streams: StreamRunner,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** In order of arrival. `endedId`: the conversation found before, which had ended. Rejects with `resource_missing`. */
  async enter(command: PostMessage, endedId: string | null): Promise<QueueSlot> {
    const cached = this.cachedTarget(command);
    if (cached !== null) return this.queue.enter(cached);
    const { context, target } = command;
    const { projectId } = context;
    if (target.kind === 'conversation') {
      await loadConversation(this.streams, projectId, target.conversationId);
      return this.queue.enter(target.conversationId);
    }
    const { externalId, customer, metadata, timeZone } = target;
    return this.resolving.run(threadKey(projectId, externalId), async () => {
      const candidate = this.madeBy(command, endedId);
      const made = { conversationId: candidate, projectId, externalId, customer, metadata, timeZone, at: this.clock.now() };
      const { conversationId, creation } = await this.threads.resolve(made, externalId, partOf(context, candidate));
      return this.queue.enter(conversationId, creation);
    });
  }

  /** The same in every execution of the request. */
  messageIdOf({ context }: Pick<PostMessage, 'context'>): string {
    return idFor(this.ids, context, 'message', 'message');
  }

  /** The id for a new conversation of this request; another one after `endedId`. */
  madeBy({ context }: Pick<PostMessage, 'context'>, endedId: string | null): string {
    return idFor(this.ids, context, 'conversation', `conversation for ${endedId ?? 'the thread'}`);
  }

  /** Conversations in which an earlier execution may have stored the message, newest first. Rejects with `resource_missing`. */
  async candidates({ context, target }: PostMessage): Promise<readonly string[]> {
    const { projectId, startedAt } = context;
    if (target.kind === 'thread') return this.threads.holdersSince(projectId, target.externalId, startedAt);
    await loadConversation(this.streams, projectId, target.conversationId);
    return [target.conversationId];
  }

  /** Null where a look-up is needed, or earlier posts are waiting for one. */
  private cachedTarget({ context: { projectId }, target }: PostMessage): string | null {
    if (target.kind === 'conversation') return this.isCached(projectId, target.conversationId) ? target.conversationId : null;
    if (this.resolving.has(threadKey(projectId, target.externalId))) return null;
    return this.threads.known(projectId, target.externalId);
  }

  private isCached(projectId: string, conversationId: string): boolean {
    const cached = this.streams.cache.get<Conversation>(conversationStream(conversationId))?.state;
    return cached !== undefined && cached.status !== 'unopened' && cached.projectId === projectId;
  }
}

function threadKey(projectId: string, externalId: string): string {
  return `${projectId}\n${externalId}`;
}
