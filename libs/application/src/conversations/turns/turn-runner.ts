import { Injectable, Logger } from '@nestjs/common';
import { cardOf, type Conversation, type ConversationCard } from '@domain/conversation/conversation';
import type { ConversationCommand, NewReply } from '@domain/conversation/conversation.commands';
import { conversationDecider } from '@domain/conversation/conversation.decider';
import type { Closure } from '@domain/conversation/conversation.events';
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
import { LiveReplies } from './live-replies.js';
import type { LiveReply } from './live-reply.js';

export type TurnOutcome = Replied | Failed | Kept;

interface Failed {
  readonly kind: 'failed';
  /** Set where the conversation was handed off or ended before the turn began. */
  readonly closure?: Closure;
  /** Seconds until a retry may succeed, where known. */
  readonly retryAfter?: number;
}

/** A human has the conversation: there will be no reply. */
interface Kept {
  readonly kind: 'kept';
  readonly conversation: Conversation;
}

interface Replied {
  readonly kind: 'replied';
  readonly reply: MessageView;
  readonly conversation: Conversation;
  /** Another execution stored the reply. */
  readonly answeredBefore: boolean;
}

/** Asks the agent to reply to a stored message, and stores the reply, however late it is. */
@Injectable()
export class TurnRunner {
  private readonly logger = new Logger(TurnRunner.name);
  private readonly outcomes = new Map<string, Promise<TurnOutcome>>();
  private readonly announced = new Set<string>();

  constructor(
    private readonly replies: AgentReplies,
    private readonly live: LiveReplies,
    private readonly streams: StreamRunner,
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** Messages whose turns run in this process, or are about to. */
  underWay(): ReadonlySet<string> {
    return new Set([...this.outcomes.keys(), ...this.announced]);
  }

  isUnderWay(messageId: string): boolean {
    return this.outcomes.has(messageId) || this.announced.has(messageId);
  }

  running(messageId: string): Promise<TurnOutcome> | undefined {
    return this.outcomes.get(messageId);
  }

  /**
   * Before the message is stored: until `ask` the turn would look like a dead process's. Returns a function that ends the claim.
   */
  announce(messageId: string): () => void {
    this.announced.add(messageId);
    return () => void this.announced.delete(messageId);
  }

  /**
   * Resolves when the outcome is stored. Rejects while the store is unreachable: the turn stays open, and is repeated for the
   * next request with its key or by the sweep.
   */
  ask(conversation: Conversation, message: AskedMessage): Promise<TurnOutcome> {
    const { id } = conversation;
    // Only the card: a turn may be open for minutes, and the whole conversation lists all earlier turns.
    const { messageId, run, plainText } = message;
    const live = run === null ? null : this.live.open(messageId, run, plainText);
    const outcome = this.takeTurn(cardOf(conversation), message, live);
    this.outcomes.set(messageId, outcome);
    const forget = () => {
      this.outcomes.delete(messageId);
      if (live) this.live.close(messageId, live);
    };
    outcome.then(forget, (error: unknown) => {
      forget();
      if (!isLoggedByEngine(error)) this.logger.error(`a turn of ${id} could not be finished: ${nameOf(error)}`);
    });
    return outcome;
  }

  private async takeTurn(conversation: ConversationCard, message: AskedMessage, live: LiveReply | null): Promise<TurnOutcome> {
    try {
      return await this.record(conversation, message, await this.replies.replyTo(conversation, message, live));
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

  private newReply(at: number, { content, actions, note, run }: ActedReply): NewReply {
    return {
      ...(note && { note }),
      ...(run !== null && { run }),
      replyId: this.ids.next('message', at),
      content,
      actions: actions.map((action): ReplyAction => ({ ...action, id: this.ids.next('action', at), createdAt: at })),
    };
  }

  /** Another process has stored its reply to this message first: that one counts. */
  private async replyOfAnother({ id }: ConversationCard, { messageId }: AskedMessage): Promise<TurnOutcome> {
    const turn = await findTurn(this.store, id, messageId);
    const { state } = await this.streams.load(conversationStream(id), conversationDecider);
    if (turn?.state.is !== 'replied') return { kind: 'failed' };
    return { kind: 'replied', reply: turn.state.reply, conversation: state, answeredBefore: true };
  }

  private async fail({ id }: ConversationCard, { messageId, request }: AskedMessage, error: AgentFailed): Promise<TurnOutcome> {
    const { requestId } = request;
    this.logger.warn(`no reply to ${messageId} in ${id}: ${error.message}`, requestId === null ? {} : { request_id: requestId });
    const command = { type: 'FailTurn', at: this.clock.now(), messageId, reason: error.why } as const;
    await this.keep({ id }, command, { messageId });
    const { retryAfterMs } = error;
    return { kind: 'failed', ...(retryAfterMs !== null && { retryAfter: Math.max(1, Math.ceil(retryAfterMs / 1_000)) }) };
  }

  /** Retries while the store is unavailable, so that the agent is not asked twice. */
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
