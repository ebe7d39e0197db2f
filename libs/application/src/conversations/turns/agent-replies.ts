import { Injectable, Logger } from '@nestjs/common';
import type { AgentNote } from '@domain/conversation/agent-note';
import type { ConversationCard } from '@domain/conversation/conversation';
import type { AppointmentAction, StatusAction } from '@domain/conversation/reply-action';
import { silentReply } from '@domain/conversation/silent-reply';
import { Agent, AgentFailed, MAX_NOTE_BYTES, type AgentReply, type CustomerCard, type ReplyDraft } from '@ports/agent.port';
import { Clock } from '@ports/clock.port';
import type { ExpectedRevision } from '@ports/event-store.port';
import { PlainText } from '@ports/plain-text.port';
import { LinkedAbort } from '../../runtime/linked-abort.js';
import type { RequestNames } from '../../runtime/request-context.js';
import { GIVEN_UP_AFTER_MS, Toolboxes, type TurnToolbox } from '../tools/toolboxes.js';
import type { LiveReply } from './live-reply.js';
import { TurnContext } from './turn-context.js';

export interface AskedMessage {
  readonly messageId: string;
  readonly revision: ExpectedRevision;
  readonly content: string;
  readonly plainText: boolean;
  readonly request: RequestNames;
  readonly windowEndsAt: number;
  readonly isRetry: boolean;
  /** Names this execution of the turn; null where it continues what a dead process began: then no part of the reply is said early. */
  readonly run: string | null;
}

export interface ActedReply {
  /** Never empty: if the agent says nothing, its actions are put into words. */
  readonly content: string;
  /** First what its tools did, then what it did to the conversation. */
  readonly actions: readonly (AppointmentAction | StatusAction)[];
  readonly note: AgentNote | null;
  /** The run whose deltas were the content. */
  readonly run: string | null;
}

const NOBODY_READS: ReplyDraft = { add: () => undefined, reset: () => undefined };

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
   * Rejects with `AgentFailed` when there is no reply within five minutes, unless the turn has changed the ledger: then the reply
   * says what was done. Rejects while the log is unreachable: a repeated turn finds the effects.
   */
  async replyTo(conversation: ConversationCard, message: AskedMessage, live: LiveReply | null = null): Promise<ActedReply> {
    const { projectId, id: conversationId } = conversation;
    const customer = await this.context.customerOf(conversation);
    const { messageId, revision, request, isRetry, windowEndsAt } = message;
    const customerId = customer?.id ?? null;
    const timeZone = await this.context.zoneOf(conversation);
    const givingUp = new AbortController();
    const whose = { projectId, conversationId, customerId, messageId, revision };
    const toolbox = this.toolboxes.open({ isRetry, request, windowEndsAt, timeZone, givenUp: givingUp.signal, ...whose });
    const turn = { ...message, timeZone, draft: live ?? NOBODY_READS };
    const answer = await this.inTime(conversation, turn, customer, toolbox, givingUp).catch(agentFailure);
    if (isRetry || toolbox.isInDoubt) await toolbox.recall();
    const reply = answer instanceof AgentFailed ? this.silenceOf(answer, toolbox, whose, request) : answer;
    const told = async (text: string) => (message.plainText ? this.plainText.strip(text, projectId) : text);
    const words = await told(reply.content);
    const actions = [...toolbox.effects, ...reply.actions];
    // A reply of markup only is sent as it is, unless the turn did something.
    const own = [words, silentReply(actions), reply.content].find((each) => each.trim() !== '') ?? '';
    if (own === '') throw new AgentFailed('malformed_reply', 'The agent said and did nothing.');
    const ending = handsOver(reply) ? await told((await this.context.handoffReplyOf(conversation)) ?? '') : '';
    const content = ending.trim() === '' ? own : `${own.trimEnd()}\n\n${ending}`;
    live?.complete(content);
    return { content, actions, note: this.noteOf(reply, message), run: live?.run ?? null };
  }

  /** An invalid note does not fail the reply. */
  private noteOf({ note }: AgentReply, { messageId }: AskedMessage): AgentNote | null {
    if (note === undefined) return null;
    if (isNote(note)) return { writer: this.agent.name, text: note };
    this.logger.error(`the note beside the reply to ${messageId} was dropped: it is no JSON of ${MAX_NOTE_BYTES} bytes`);
    return null;
  }

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
    message: AskedMessage & { readonly timeZone: string; readonly draft: ReplyDraft },
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

/** An end counts before a hand-off. */
function handsOver({ actions }: AgentReply): boolean {
  return actions.some(({ type }) => type === 'handoff') && !actions.some(({ type }) => type === 'end_conversation');
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
