import { Injectable, Logger } from '@nestjs/common';
import { cardOf, type Conversation, type ConversationCard } from '@domain/conversation/conversation';
import { conversationDecider, type ConversationCommand, type NewReply } from '@domain/conversation/conversation.decider';
import type { ReplyAction } from '@domain/conversation/reply-action';
import { correlationOf } from '@domain/kernel/envelope';
import { AgentFailed } from '@ports/agent.port';
import { Clock } from '@ports/clock.port';
import { EventStore, isLoggedByEngine } from '@ports/event-store.port';
import { nameOf } from '@ports/failure';
import { Ids } from '@ports/ids.port';
import { untilStored } from '../../runtime/until-stored.js';
import { StreamRunner } from '../../streams/stream-runner.js';
import { conversationStream, findTurn, messageOf } from '../state/conversation-stream.js';
import type { MessageView } from '../state/message-view.js';
import { GIVEN_UP_AFTER_MS } from '../tools/toolboxes.js';
import { AgentReplies, type ActedReply, type AskedMessage } from './agent-replies.js';

export type TurnOutcome = Replied | Failed;

interface Failed {
  readonly kind: 'failed';
  /** After how many seconds asking again may succeed, where that is known. */
  readonly retryAfter?: number;
}

interface Replied {
  readonly kind: 'replied';
  readonly reply: MessageView;
  readonly conversation: Conversation;
  /** Another execution stored the reply, not the one that asks for the outcome. */
  readonly answeredBefore: boolean;
}

/** Asks the agent for its reply to a stored message, and stores the reply, however late it is. */
@Injectable()
export class TurnRunner {
  private readonly logger = new Logger(TurnRunner.name);
  private readonly outcomes = new Map<string, Promise<TurnOutcome>>();
  private readonly announced = new Set<string>();

  constructor(
    private readonly replies: AgentReplies,
    private readonly streams: StreamRunner,
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** The messages whose turns run in this process now, or are about to. */
  underWay(): ReadonlySet<string> {
    return new Set([...this.outcomes.keys(), ...this.announced]);
  }

  isUnderWay(messageId: string): boolean {
    return this.outcomes.has(messageId) || this.announced.has(messageId);
  }

  /** The outcome of the turn that runs in this process; undefined where none does. */
  running(messageId: string): Promise<TurnOutcome> | undefined {
    return this.outcomes.get(messageId);
  }

  /**
   * Claims a turn for this process before its message is stored: between the append and `ask` it would pass for one that a dead
   * process left open. Returns a function that ends the claim.
   */
  announce(messageId: string): () => void {
    this.announced.add(messageId);
    return () => void this.announced.delete(messageId);
  }

  /**
   * Runs a turn that the caller has just opened in the stream. Resolves when its outcome is stored. Rejects where the store is
   * out of reach: the turn stays open, and is asked again for the next request with its key, or by the sweep.
   */
  ask(conversation: Conversation, message: AskedMessage): Promise<TurnOutcome> {
    const { id } = conversation;
    // Only the card: a turn may be open for minutes, and the whole conversation lists the turns before it.
    const outcome = this.takeTurn(cardOf(conversation), message);
    this.outcomes.set(message.messageId, outcome);
    const forget = () => this.outcomes.delete(message.messageId);
    outcome.then(forget, (error: unknown) => {
      forget();
      if (!isLoggedByEngine(error)) this.logger.error(`a turn of ${id} could not be finished: ${nameOf(error)}`);
    });
    return outcome;
  }

  private async takeTurn(conversation: ConversationCard, message: AskedMessage): Promise<TurnOutcome> {
    try {
      return await this.record(conversation, message, await this.replies.replyTo(conversation, message));
    } catch (error) {
      if (error instanceof AgentFailed) return this.fail(conversation, message, error);
      throw error;
    }
  }

  private async record(conversation: ConversationCard, message: AskedMessage, reply: ActedReply): Promise<TurnOutcome> {
    const at = this.clock.now();
    const command = { type: 'RecordReply', at, inReplyTo: message.messageId, ...this.newReply(at, reply) } as const;
    const { state, events } = await this.keep(conversation, command, message);
    const [stored] = events;
    const view = stored ? messageOf(conversation.id, stored) : null;
    if (!view) return this.replyOfAnother(conversation, message);
    return { kind: 'replied', reply: view, conversation: state, answeredBefore: false };
  }

  private newReply(at: number, { content, actions, note }: ActedReply): NewReply {
    return {
      ...(note && { note }),
      replyId: this.ids.next('message', at),
      content,
      actions: actions.map((action): ReplyAction => ({ ...action, id: this.ids.next('action', at), createdAt: at })),
    };
  }

  /** Another process has stored its reply to this message first: that one counts. */
  private async replyOfAnother({ id }: ConversationCard, { messageId }: AskedMessage): Promise<TurnOutcome> {
    const turn = await findTurn(this.store, id, messageId);
    const { state } = await this.streams.load(conversationStream(id), conversationDecider);
    return turn?.reply ? { kind: 'replied', reply: turn.reply, conversation: state, answeredBefore: true } : { kind: 'failed' };
  }

  private async fail({ id }: ConversationCard, { messageId, request }: AskedMessage, error: AgentFailed): Promise<TurnOutcome> {
    const { requestId } = request;
    this.logger.warn(`no reply to ${messageId} in ${id}: ${error.message}`, requestId === null ? {} : { request_id: requestId });
    const command = { type: 'FailTurn', at: this.clock.now(), messageId, reason: error.why } as const;
    await this.keep({ id }, command, { messageId });
    const { retryAfterMs } = error;
    return { kind: 'failed', ...(retryAfterMs !== null && { retryAfter: Math.max(1, Math.ceil(retryAfterMs / 1_000)) }) };
  }

  /** Retries while the store is unavailable: the agent must not be asked twice because a disk was full for a moment. */
  private keep(
    { id }: Pick<ConversationCard, 'id'>,
    command: ConversationCommand,
    { messageId }: Pick<AskedMessage, 'messageId'>,
  ) {
    const envelope = { $correlationId: correlationOf(messageId) };
    return untilStored(this.clock, GIVEN_UP_AFTER_MS, () =>
      this.streams.run(conversationStream(id), conversationDecider, command, envelope),
    );
  }
}
