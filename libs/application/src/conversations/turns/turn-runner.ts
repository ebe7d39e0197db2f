import { Injectable, Logger } from '@nestjs/common';
import { cardOf, type Conversation, type ConversationCard } from '@domain/conversation/conversation';
import { conversationDecider, type ConversationCommand, type NewReply } from '@domain/conversation/conversation.decider';
import type { ReplyAction } from '@domain/conversation/reply-action';
import { AgentFailed } from '@ports/agent.port';
import { Clock } from '@ports/clock.port';
import { EventStore } from '@ports/event-store.port';
import { nameOf } from '@ports/failure';
import { Ids } from '@ports/ids.port';
import { conversationStream, findTurn, messageOf } from '../conversation-stream.js';
import type { MessageView } from '../conversation.commands.js';
import { untilStored } from '../../runtime/until-stored.js';
import { StreamRunner } from '../../streams/stream-runner.js';
import { AgentReplies, GIVEN_UP_AFTER_MS, type ActedReply, type AskedMessage } from './agent-replies.js';

export type TurnOutcome = Replied | { readonly kind: 'failed' };

export interface Replied {
  readonly kind: 'replied';
  readonly reply: MessageView;
  readonly conversation: Conversation;
  /** Somebody else had stored the reply before this outcome was asked for. */
  readonly storedBefore: boolean;
}

/** Asks the agent and stores what comes of it, however late. */
@Injectable()
export class TurnRunner {
  private readonly logger = new Logger(TurnRunner.name);
  private readonly running = new Map<string, Promise<TurnOutcome>>();
  private readonly announced = new Set<string>();
  /** The messages whose turns run here, or are about to. */
  readonly underWay = { has: (messageId: string): boolean => this.running.has(messageId) || this.announced.has(messageId) };

  constructor(
    private readonly replies: AgentReplies,
    private readonly streams: StreamRunner,
    private readonly store: EventStore,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** The turn as it runs here, if it does. */
  attached(messageId: string): Promise<TurnOutcome> | undefined {
    return this.running.get(messageId);
  }

  /** Tells of a turn that may be open in the stream before it is asked for here; until what is returned is called. */
  announce(messageId: string): () => void {
    this.announced.add(messageId);
    return () => void this.announced.delete(messageId);
  }

  /** Runs a turn that the caller has just opened in the stream. Its outcome is stored when this resolves. */
  ask(conversation: Conversation, message: AskedMessage): Promise<TurnOutcome> {
    const { id } = conversation;
    // Many may be open for minutes, and each would keep a list of all that were open before it.
    const outcome = this.takeTurn(cardOf(conversation), message);
    this.running.set(message.messageId, outcome);
    const forget = () => this.running.delete(message.messageId);
    outcome.then(forget, (error: unknown) => {
      forget();
      this.logger.error(`a turn of ${id} could not be stored: ${nameOf(error)}`);
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
    const { state, events } = await this.keep(conversation, command);
    const [stored] = events;
    const view = stored ? messageOf(conversation.id, stored) : null;
    if (!view) return this.storedBefore(conversation, message);
    return { kind: 'replied', reply: view, conversation: state, storedBefore: false };
  }

  private newReply(at: number, { content, actions }: ActedReply): NewReply {
    return {
      replyId: this.ids.next('message', at),
      content,
      actions: actions.map((action): ReplyAction => ({ ...action, id: this.ids.next('action', at), createdAt: at })),
    };
  }

  /** Somebody else's reply to the same message was stored first: that one counts. */
  private async storedBefore({ id }: ConversationCard, { messageId }: AskedMessage): Promise<TurnOutcome> {
    const turn = await findTurn(this.store, id, messageId);
    const { state } = await this.streams.load(conversationStream(id), conversationDecider);
    return turn?.reply ? { kind: 'replied', reply: turn.reply, conversation: state, storedBefore: true } : { kind: 'failed' };
  }

  private async fail({ id }: ConversationCard, { messageId, request }: AskedMessage, error: AgentFailed): Promise<TurnOutcome> {
    const { requestId } = request;
    this.logger.warn(`no reply to ${messageId} in ${id}: ${error.message}`, requestId === null ? {} : { request_id: requestId });
    const command = { type: 'FailTurn', at: this.clock.now(), messageId, reason: error.why } as const;
    await this.keep({ id }, command);
    return { kind: 'failed' };
  }

  /** What an agent has said is not asked for twice because a disk was full for a moment. */
  private keep({ id }: Pick<ConversationCard, 'id'>, command: ConversationCommand) {
    return untilStored(this.clock, GIVEN_UP_AFTER_MS, () =>
      this.streams.run(conversationStream(id), conversationDecider, command),
    );
  }
}
