import { Injectable, Logger } from '@nestjs/common';
import type { AgentNote } from '@domain/conversation/agent-note';
import type { ConversationCard } from '@domain/conversation/conversation';
import type { AppointmentAction, StatusAction } from '@domain/conversation/reply-action';
import { silentReply } from '@domain/conversation/silent-reply';
import { Agent, AgentFailed, MAX_NOTE_BYTES, type AgentReply, type CustomerCard } from '@ports/agent.port';
import { Clock } from '@ports/clock.port';
import type { ExpectedRevision } from '@ports/event-store.port';
import { PlainText } from '@ports/plain-text.port';
import { LinkedAbort } from '../../runtime/linked-abort.js';
import type { RequestNames } from '../../runtime/request-context.js';
import { GIVEN_UP_AFTER_MS, Toolboxes, type TurnToolbox } from '../tools/toolboxes.js';
import { TurnContext } from './turn-context.js';

export interface AskedMessage {
  readonly messageId: string;
  /** The message's place in the stream of its conversation. */
  readonly revision: ExpectedRevision;
  readonly content: string;
  readonly plainText: boolean;
  readonly request: RequestNames;
  /** When the window of the request that waits ends. */
  readonly windowEndsAt: number;
  /** The turn was asked before. */
  readonly isRetry: boolean;
}

/** A reply, and every action taken for it. */
export interface ActedReply {
  /** Never empty: the actions of an agent that says nothing are put into words. */
  readonly content: string;
  /** In order: what its tools did first, then what it did to the conversation. */
  readonly actions: readonly (AppointmentAction | StatusAction)[];
  readonly note: AgentNote | null;
}

/** Asks the agent for its reply to a message, with everything that the server knows about the turn. */
@Injectable()
export class AgentReplies {
  private readonly logger = new Logger(AgentReplies.name);

  constructor(
    private readonly agent: Agent,
    private readonly context: TurnContext,
    private readonly toolboxes: Toolboxes,
    private readonly plainText: PlainText,
    private readonly clock: Clock,
  ) {}

  /**
   * Rejects with `AgentFailed` when there is no reply, or none within five minutes, unless the turn had changed the ledger by then:
   * the reply says what was done (api-contract §17.4). Rejects with the store's error where the log is out of reach: what the turn
   * did is then not told, and found when it is asked again.
   */
  async replyTo(conversation: ConversationCard, message: AskedMessage): Promise<ActedReply> {
    const { projectId, id: conversationId } = conversation;
    const customer = await this.context.customerOf(conversation);
    const { messageId, revision, request, isRetry, windowEndsAt } = message;
    const customerId = customer?.id ?? null;
    const timeZone = await this.context.zoneOf(conversation);
    const givingUp = new AbortController();
    const whose = { projectId, conversationId, customerId, messageId, revision };
    const toolbox = this.toolboxes.open({ isRetry, request, windowEndsAt, timeZone, givenUp: givingUp.signal, ...whose });
    const answer = await this.inTime(conversation, { ...message, timeZone }, customer, toolbox, givingUp).catch(agentFailure);
    if (isRetry || toolbox.isInDoubt) await toolbox.recall();
    const reply = answer instanceof AgentFailed ? this.silenceOf(answer, toolbox, whose, request) : answer;
    const words = message.plainText ? await this.plainText.strip(reply.content, projectId) : reply.content;
    const actions = [...toolbox.effects, ...reply.actions];
    // What is nothing but markup is told as it is, unless the turn did something.
    const content = [words, silentReply(actions), reply.content].find((each) => each.trim() !== '') ?? '';
    if (content === '') throw new AgentFailed('malformed_reply', 'The agent said and did nothing.');
    return { content, actions, note: this.noteOf(reply, message) };
  }

  /** The reply counts more than a note that nobody could keep or read. */
  private noteOf({ note }: AgentReply, { messageId }: AskedMessage): AgentNote | null {
    if (note === undefined) return null;
    if (isNote(note)) return { writer: this.agent.name, text: note };
    this.logger.error(`the note beside the reply to ${messageId} was dropped: it is no JSON of ${MAX_NOTE_BYTES} bytes`);
    return null;
  }

  /** Throws the failure where nothing was done before it. */
  private silenceOf(
    failure: AgentFailed,
    { effects }: TurnToolbox,
    { messageId, conversationId }: { readonly messageId: string; readonly conversationId: string },
    { requestId }: RequestNames,
  ): AgentReply {
    if (effects.length === 0) throw failure;
    const line = `the agent failed after what it did for ${messageId} in ${conversationId}: ${failure.message}`;
    this.logger.warn(line, requestId === null ? {} : { request_id: requestId });
    return { content: '', actions: [] };
  }

  private async inTime(
    conversation: ConversationCard,
    message: AskedMessage & { readonly timeZone: string },
    customer: CustomerCard | null,
    toolbox: TurnToolbox,
    givingUp: AbortController,
  ): Promise<AgentReply> {
    const over = new LinkedAbort(givingUp.signal);
    const cancel = this.clock.after(GIVEN_UP_AFTER_MS, () => givingUp.abort());
    try {
      const turn = await this.context.build(conversation, { ...message, agent: this.agent.name }, customer, toolbox, over.signal);
      return await this.agent.reply(turn, givingUp.signal);
    } finally {
      cancel();
      over.abort();
    }
  }
}

function agentFailure(error: unknown): AgentFailed {
  if (error instanceof AgentFailed) return error;
  throw error;
}

function isNote(text: string): boolean {
  if (!text.isWellFormed() || Buffer.byteLength(text) > MAX_NOTE_BYTES) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
