import type { AgentNote } from './agent-note.js';
import type { Decider } from '../kernel/decider.js';
import { DomainError, resourceMissing } from '../kernel/domain-error.js';
import { differing, hasAny } from '../kernel/differing.js';
import type { ConversationChanges, ConversationEvent } from './conversation.events.js';
import {
  UNOPENED,
  blockingLeftTurn,
  blockingTurn,
  idleEnd,
  isIdle,
  turnOf,
  type Conversation,
  type Turn,
} from './conversation.js';
import { evolveConversation } from './evolve-conversation.js';
import type { ReplyAction } from './reply-action.js';

/** An agent's reply as it is stored. */
export interface NewReply {
  readonly replyId: string;
  readonly content: string;
  readonly actions: readonly ReplyAction[];
  readonly note?: AgentNote;
}

export type ConversationCommand =
  | {
      readonly type: 'OpenConversation';
      readonly at: number;
      readonly conversationId: string;
      readonly projectId: string;
      readonly externalId: string | null;
      readonly customerId: string | null;
      readonly metadata: string;
      readonly timeZone: string | null;
    }
  | {
      readonly type: 'PostMessage';
      readonly at: number;
      readonly messageId: string;
      readonly content: string;
      readonly plainText: boolean;
      readonly windowEndsAt: number;
      readonly owner: string;
      readonly idleMs: number;
      /** Whether the post waits until the previous turn is over; false when no client is left to wait. */
      readonly waits: boolean;
    }
  | {
      readonly type: 'ReopenTurn';
      readonly at: number;
      readonly messageId: string;
      readonly windowEndsAt: number;
      readonly owner: string;
      /** Whether a turn that failed is reopened, not only one that was left open. */
      readonly failedToo: boolean;
      /** Turns that were opened before this instant have lost their process. */
      readonly openedBefore: number;
      /** The processes that have no lease: any process may take their open turns over, except for those in `underWay`. */
      readonly gone: ReadonlySet<string>;
      /** The messages whose turns run, or are about to run, in this process. */
      readonly underWay: ReadonlySet<string>;
    }
  | ({ readonly type: 'RecordReply'; readonly at: number; readonly inReplyTo: string } & NewReply)
  | { readonly type: 'FailTurn'; readonly at: number; readonly messageId: string; readonly reason: string }
  | {
      readonly type: 'AmendConversation';
      readonly at: number;
      readonly changes: ConversationChanges;
      readonly commandId: string;
    }
  | { readonly type: 'EndConversation'; readonly at: number; readonly note: string | null }
  | { readonly type: 'EndIdleConversation'; readonly at: number; readonly idleMs: number };

/** The previous turn is still open. This is no refusal: the post waits. */
export class TurnInProgress extends Error {
  constructor(readonly until: number) {
    super('the turn before is still open');
    this.name = 'TurnInProgress';
  }
}

/** The conversation has idled out, but its end is not stored yet: store the end, then decide again. */
export class IdleEndDue extends Error {
  constructor() {
    super('the conversation has idled out');
    this.name = 'IdleEndDue';
  }
}

export const conversationDecider: Decider<Conversation, ConversationCommand, ConversationEvent> = {
  initial: UNOPENED,
  decide(command, conversation) {
    const at = Math.max(command.at, conversation.lastEventAt);
    switch (command.type) {
      case 'OpenConversation':
        return conversation.status === 'unopened' ? [opened(command, at)] : [];
      case 'PostMessage':
        return postMessage(command, conversation, at);
      case 'ReopenTurn':
        return reopenTurn(command, conversation, at);
      case 'RecordReply':
        return recordReply(command, conversation, at);
      case 'FailTurn': {
        const { messageId, reason } = command;
        return turnOf(conversation.turns, messageId)?.state === 'open' ? [{ type: 'TurnFailed', at, messageId, reason }] : [];
      }
      case 'AmendConversation':
        return amend(command, conversation, at);
      case 'EndConversation':
        return endConversation(conversation, at, command.note);
      case 'EndIdleConversation': {
        const endedAt = idleEnd(conversation, command.idleMs);
        return endedAt !== null && command.at >= endedAt ? [{ type: 'ConversationEnded', at, reason: 'idle', endedAt }] : [];
      }
    }
  },
  evolve: evolveConversation,
};

type Command<Type extends ConversationCommand['type']> = Extract<ConversationCommand, { type: Type }>;

function opened({ timeZone, ...command }: Command<'OpenConversation'>, at: number): ConversationEvent {
  return { ...command, ...(timeZone !== null && { timeZone }), type: 'ConversationOpened', at };
}

function postMessage(command: Command<'PostMessage'>, conversation: Conversation, at: number): ConversationEvent[] {
  const { messageId, content, plainText, windowEndsAt, owner, idleMs, waits } = command;
  refuseUnopened(conversation);
  if (turnOf(conversation.turns, messageId)) return [];
  refuseClosed(conversation);
  if (isIdle(conversation, command.at, idleMs)) throw new IdleEndDue();
  const before = waits ? blockingTurn(conversation.turns, command.at) : undefined;
  if (before) throw new TurnInProgress(before.windowEndsAt);
  return [{ type: 'MessagePosted', at, messageId, content, plainText, windowEndsAt, owner }];
}

/**
 * Reopens the turn of a message that failed, or that a dead process left open. Reopening a failed turn is refused wherever a
 * new post is. A turn that the conversation no longer remembers counts as failed: the caller has checked that the message has
 * no reply. A turn left open fails when the agent has left the conversation meanwhile.
 */
function reopenTurn(command: Command<'ReopenTurn'>, conversation: Conversation, at: number): ConversationEvent[] {
  const { messageId, windowEndsAt, owner, underWay } = command;
  const { turns } = conversation;
  const turn = turnOf(turns, messageId);
  if (turn?.state === 'replied' || (turn?.state !== 'open' && !command.failedToo)) return [];
  if (turn?.state === 'open') {
    if (isHeld(turn, command)) return [];
    if (isLeftByAgent(conversation)) return [{ type: 'TurnFailed', at, messageId, reason: 'conversation_closed' }];
  } else refuseClosed(conversation);
  const isUnderWay = (other: Turn) => isHeld(other, command) || underWay.has(other.messageId);
  const before = turn?.state === 'open' ? blockingLeftTurn(turns, turn, isUnderWay, command.at) : blockingTurn(turns, command.at);
  if (before) throw new TurnInProgress(before.windowEndsAt);
  return [{ type: 'TurnReopened', at, messageId, windowEndsAt, owner }];
}

/** Whether a living process still works on an open turn. */
function isHeld({ openedAt, owner }: Turn, { openedBefore, gone }: Command<'ReopenTurn'>): boolean {
  return openedAt >= openedBefore && (owner === undefined || !gone.has(owner));
}

/** The agent has left: it ended the conversation, or handed it to a human. */
function isLeftByAgent({ handedOffAt, endReason }: Conversation): boolean {
  return handedOffAt !== null || endReason === 'agent';
}

/** A reply is stored in any status; its status actions apply only while the conversation is active. */
function recordReply(command: Command<'RecordReply'>, conversation: Conversation, at: number): ConversationEvent[] {
  const turn = turnOf(conversation.turns, command.inReplyTo);
  if (!turn || turn.state === 'replied') return [];
  const { status } = conversation;
  const { inReplyTo, replyId, content, actions, note } = command;
  const reply: ConversationEvent = { type: 'AgentReplied', at, replyId, inReplyTo, content, actions, ...(note && { note }) };
  if (status !== 'active') return [reply];
  if (actions.some(({ type }) => type === 'end_conversation')) {
    return [reply, { type: 'ConversationEnded', at, reason: 'agent', endedAt: at }];
  }
  return actions.some(({ type }) => type === 'handoff') ? [reply, { type: 'ConversationHandedOff', at }] : [reply];
}

/** One that was handed off can be changed, one that has ended cannot. */
function amend(
  { changes: wanted, commandId }: Command<'AmendConversation'>,
  conversation: Conversation,
  at: number,
): ConversationEvent[] {
  refuseUnopened(conversation);
  refuseEnded(conversation);
  const changes = differing(conversation, wanted);
  if (changes.customerId !== undefined && conversation.customerId !== null) throw customerAlreadyLinked(conversation.customerId);
  return hasAny(changes) ? [{ type: 'ConversationAmended', at, changes, commandId }] : [];
}

/** The refusal of another customer than the one that a conversation is linked with. */
export function customerAlreadyLinked(existingId: string): DomainError {
  return new DomainError('customer_already_linked', 'The conversation is linked with another customer.', {
    param: 'customer',
    extras: { existing_id: existingId },
  });
}

function endConversation(conversation: Conversation, at: number, note: string | null): ConversationEvent[] {
  refuseUnopened(conversation);
  if (conversation.status === 'ended') return [];
  return [{ type: 'ConversationEnded', at, reason: 'explicit', endedAt: at, ...(note !== null && { note }) }];
}

function refuseUnopened({ status }: Conversation): void {
  if (status === 'unopened') throw resourceMissing('conversation');
}

function refuseClosed({ status, id }: Conversation): void {
  const extras = { conversation_id: id };
  if (status === 'handed_off') {
    throw new DomainError('conversation_handed_off', 'The conversation was handed off to a human; end it first.', { extras });
  }
  refuseEnded({ status, id });
}

/** Throws `conversation_ended` where it has. */
export function refuseEnded({ status, id }: Pick<Conversation, 'status' | 'id'>): void {
  const extras = { conversation_id: id };
  if (status === 'ended') throw new DomainError('conversation_ended', 'The conversation has ended.', { extras });
}
