import { Injectable } from '@nestjs/common';
import { blockingTurn, type Conversation } from '@domain/conversation/conversation';
import type { ConversationCommand } from '@domain/conversation/conversation.commands';
import { IdleEndDue, TurnInProgress, conversationDecider } from '@domain/conversation/conversation.decider';
import type { ConversationEvent } from '@domain/conversation/conversation.events';
import { Clock } from '@ports/clock.port';
import { EventStore, type ExpectedRevision } from '@ports/event-store.port';
import { Settings } from '@ports/settings.port';
import { StreamRunner } from '../../streams/stream-runner.js';
import { InstanceRegistry } from '../../instances/instance-registry.js';
import type { PostMessage } from '../conversation.commands.js';
import { conversationStream, grownOrAt, isPost, messageOf } from '../state/conversation-stream.js';
import type { MessageView } from '../state/message-view.js';
import { Threads } from '../threads.js';
import type { QueueSlot } from './conversation-router.js';
import type { PendingMessage } from './pending-replies.js';

interface WrittenMessage {
  readonly conversation: Conversation;
  readonly message: MessageView;
  /** Of the event that stored the message. */
  readonly revision: ExpectedRevision;
  /** `kept`: a human has the conversation, and there will be no turn. */
  readonly is: 'open' | 'queued' | 'kept';
}

/** Null where an earlier execution had stored the message. */
type Written = Promise<WrittenMessage | null>;

/** Stores a user's message at most once. */
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
   * Waits for its place and for the turns of other processes, unless at shutdown. A post whose client does not wait is queued in
   * the log. Opens the conversation if needed, or ends it if it idled out.
   */
  async write(command: PostMessage, pending: PendingMessage, slot: QueueSlot): Written {
    const isFirst = await Promise.race([slot.turn.then(() => true), pending.impatient.then(() => false)]);
    let waits = !isFirst;
    for (;;) {
      try {
        return await (waits ? this.queue(command, pending, slot) : this.post(command, pending, slot));
      } catch (error) {
        if (error instanceof IdleEndDue) await this.threads.endIdle(slot.conversationId, command.context.envelope);
        else if (!(error instanceof TurnInProgress)) throw error;
        else if (pending.isImpatient && !pending.isAborted) waits = true;
        else await Promise.race([this.turnOver(slot.conversationId, error.until), pending.aborted, pending.impatient]);
      }
    }
  }

  /** Begins the turn of a queued message once those before it are over. Null if it has been closed, or begun elsewhere. */
  async open(command: PostMessage, pending: PendingMessage, { conversationId, turn }: QueueSlot) {
    const { messageId } = pending;
    const stream = conversationStream(conversationId);
    await Promise.race([turn, pending.aborted]);
    while (!pending.isAborted) {
      const at = this.clock.now();
      const windowEndsAt = at + command.options.windowMs;
      const open = { type: 'OpenTurn', at, messageId, windowEndsAt, owner: this.instances.id } as const;
      try {
        const { state, events } = await this.streams.run(stream, conversationDecider, open, command.context.envelope);
        return events.length > 0 ? { conversation: state } : null;
      } catch (error) {
        if (!(error instanceof TurnInProgress)) throw error;
        await Promise.race([this.turnOver(conversationId, error.until), pending.aborted]);
      }
    }
    return null;
  }

  private post(command: PostMessage, pending: PendingMessage, slot: QueueSlot): Written {
    const { windowEndsAt, isAborted } = pending;
    return this.append(command, pending, slot, { type: 'PostMessage', windowEndsAt, waits: !isAborted });
  }

  private queue(command: PostMessage, pending: PendingMessage, slot: QueueSlot): Written {
    return this.append(command, pending, slot, { type: 'QueueMessage' });
  }

  private async append(
    { content, plainText, options: { whenHandedOff }, context: { envelope } }: PostMessage,
    { messageId }: PendingMessage,
    { conversationId, creation }: QueueSlot,
    how: { type: 'PostMessage'; windowEndsAt: number; waits: boolean } | { type: 'QueueMessage' },
  ): Written {
    const stream = conversationStream(conversationId);
    const { state: seen } = await this.streams.cache.loadCached(stream, conversationDecider);
    const opening = seen.status === 'unopened' && creation ? await this.threads.opening(creation, envelope) : null;
    const [at, owner, idleMs] = [this.clock.now(), this.instances.id, this.settings.conversationIdleMs];
    const post: ConversationCommand = { at, messageId, content, plainText, owner, idleMs, whenHandedOff, ...how };
    const commands = opening ? [opening, post] : post;
    const { state, events, revision } = await this.streams.run(stream, conversationDecider, commands, envelope);
    const posted = events.find(isPost);
    const message = posted ? messageOf(conversationId, posted) : null;
    return posted && message ? { conversation: state, message, revision, is: standingAfter(posted) } : null;
  }

  private async turnOver(conversationId: string, until: number): Promise<void> {
    const stream = conversationStream(conversationId);
    const { state, revision } = await this.streams.load(stream, conversationDecider);
    if (!blockingTurn(state.turns, this.clock.now())) return;
    await grownOrAt(this.store, this.clock, stream, revision, until);
  }
}

function standingAfter({ type }: ConversationEvent): WrittenMessage['is'] {
  if (type === 'MessageKept') return 'kept';
  return type === 'MessageQueued' ? 'queued' : 'open';
}
