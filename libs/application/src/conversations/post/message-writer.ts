import { Injectable } from '@nestjs/common';
import { blockingTurn, type Conversation } from '@domain/conversation/conversation';
import { IdleEndDue, TurnInProgress, conversationDecider } from '@domain/conversation/conversation.decider';
import { Clock } from '@ports/clock.port';
import { EventStore, type ExpectedRevision } from '@ports/event-store.port';
import { Settings } from '@ports/settings.port';
import { StreamRunner } from '../../streams/stream-runner.js';
import { InstanceRegistry } from '../../instances/instance-registry.js';
import type { PostMessage } from '../conversation.commands.js';
import { conversationStream, grownOrAt, messageOf } from '../state/conversation-stream.js';
import type { MessageView } from '../state/message-view.js';
import { Threads } from '../threads.js';
import type { QueueSlot } from './conversation-router.js';
import type { PendingMessage } from './pending-replies.js';

export interface WrittenMessage {
  readonly conversation: Conversation;
  /** Null when an earlier execution had stored it. */
  readonly message: MessageView | null;
  /** The message's place in the stream, where it was stored now. */
  readonly revision: ExpectedRevision;
}

/** Stores a user's message in its conversation: once, or not at all. */
@Injectable()
export class MessageWriter {
  constructor(
    private readonly streams: StreamRunner,
    private readonly store: EventStore,
    private readonly threads: Threads,
    private readonly instances: InstanceRegistry,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /**
   * Opens the conversation if this is its first message, and ends it if it has idled out. Waits for a turn of another process
   * to be over, unless this process ends. Rejects with what the conversation refuses the message with.
   */
  async write(command: PostMessage, pending: PendingMessage, slot: QueueSlot): Promise<WrittenMessage> {
    const { conversationId } = slot;
    for (;;) {
      try {
        return await this.append(command, pending, slot);
      } catch (error) {
        if (error instanceof IdleEndDue) await this.threads.endIdle(conversationId, command.context.envelope);
        else if (error instanceof TurnInProgress)
          await Promise.race([this.turnOver(conversationId, error.until), pending.aborted]);
        else throw error;
      }
    }
  }

  private async append(
    { content, plainText, context: { envelope } }: PostMessage,
    pending: PendingMessage,
    { conversationId, creation }: QueueSlot,
  ): Promise<WrittenMessage> {
    const stream = conversationStream(conversationId);
    const { state: seen } = await this.streams.cache.loadCached(stream, conversationDecider);
    const opening = seen.status === 'unopened' && creation ? await this.threads.opening(creation, envelope) : null;
    const { messageId, windowEndsAt, isAborted } = pending;
    const [waits, idleMs, at] = [!isAborted, this.settings.conversationIdleMs, this.clock.now()];
    const owner = this.instances.id;
    const post = { type: 'PostMessage', at, messageId, content, plainText, windowEndsAt, owner, waits, idleMs } as const;
    const commands = opening ? [opening, post] : post;
    const { state, events, revision } = await this.streams.run(stream, conversationDecider, commands, envelope);
    const posted = events.find(({ type }) => type === 'MessagePosted');
    return { conversation: state, message: posted ? messageOf(conversationId, posted) : null, revision };
  }

  private async turnOver(conversationId: string, until: number): Promise<void> {
    const stream = conversationStream(conversationId);
    const { state, revision } = await this.streams.load(stream, conversationDecider);
    if (!blockingTurn(state.turns, this.clock.now())) return;
    await grownOrAt(this.store, this.clock, stream, revision, until);
  }
}
