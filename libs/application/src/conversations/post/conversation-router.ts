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

/** A message's slot in the queue of its conversation. The holder must call `leave`. */
export interface QueueSlot {
  readonly conversationId: string;
  /** What the conversation becomes if it is not opened yet; null for one that exists. */
  readonly creation: ConversationCreation | null;
  /** Resolves when everybody ahead has left. */
  readonly turn: Promise<void>;
  /** The message is stored and waits for its reply: from now on `release` ends the slot too. */
  awaitReply(): void;
  /** Lets the next message have its turn; a second call does nothing. */
  leave(): void;
}

/** The messages of each conversation that reach this process: one turn at a time, in order of arrival. */
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

  /** The conversation has ended: messages queued behind stop waiting for a reply. */
  release(conversationId: string): void {
    this.awaitingReply.get(conversationId)?.leave();
  }
}

/** Finds the conversation that a message is for. */
@Injectable()
export class ConversationRouter {
  /** The posts to each thread whose conversation is looked up, in order of arrival. */
  private readonly resolving = new KeyedQueue();

  constructor(
    private readonly threads: Threads,
    private readonly queue: ConversationQueue,
    private readonly streams: StreamRunner,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /**
   * Enters the queue of the conversation, in the order in which the posts arrived. `endedId`: the conversation that was found
   * before and had ended. Rejects with `resource_missing`.
   */
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

  /** The id of the conversation that this request makes where there is none; after one that has ended, another. */
  madeBy({ context }: Pick<PostMessage, 'context'>, endedId: string | null): string {
    return idFor(this.ids, context, 'conversation', `conversation for ${endedId ?? 'the thread'}`);
  }

  /** The conversations in which an earlier execution may have stored the message, newest first. Rejects with `resource_missing`. */
  async candidates({ context, target }: PostMessage): Promise<readonly string[]> {
    const { projectId, startedAt } = context;
    if (target.kind === 'thread') return this.threads.holdersSince(projectId, target.externalId, startedAt);
    await loadConversation(this.streams, projectId, target.conversationId);
    return [target.conversationId];
  }

  /** Null where something has to be looked up, or posts that came before are being looked up. */
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
