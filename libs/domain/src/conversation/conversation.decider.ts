import type { Decider } from '../kernel/decider.js';
import { DomainError, resourceMissing } from '../kernel/domain-error.js';
import { differing, hasAny } from '../kernel/differing.js';
import type { ConversationCommand } from './conversation.commands.js';
import type { Closure, ConversationEvent } from './conversation.events.js';
import {
  UNOPENED,
  blockingEarlierTurn,
  blockingLeftTurn,
  blockingTurn,
  idleEnd,
  isIdle,
  isUnanswered,
  turnOf,
  type Conversation,
  type Turn,
} from './conversation.js';
import { evolveConversation } from './evolve-conversation.js';

/** Messages of a conversation that wait for their turns in the log. */
export const MAX_QUEUED = 8;
/** A queued turn begins when its process says so: until then those that wait for it look again this often. */
const QUEUE_LOOK_MS = 1_000;

/** The previous turn is still open. Not a refusal: the post waits. */
export class TurnInProgress extends Error {
  constructor(readonly until: number) {
    super('the turn before is still open');
    this.name = 'TurnInProgress';
  }
}

/** The idle time is over but the end is not stored: store the end, then decide again. */
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
      case 'QueueMessage':
        return queueMessage(command, conversation, at);
      case 'OpenTurn':
        return openTurn(command, conversation, at);
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
      case 'HandOff':
        return handOff(command, conversation, at);
      case 'Resume':
        return resume(command, conversation, at);
      case 'ReplyAsHuman':
        return replyAsHuman(command, conversation, at);
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
  const { messageId, content, plainText, windowEndsAt, owner, waits } = command;
  const kept = keptOrRefused(command, conversation, at);
  if (kept) return kept;
  if (waits) waitFor(blockingTurn(conversation.turns, command.at, owner), command.at);
  return [{ type: 'MessagePosted', at, messageId, content, plainText, windowEndsAt, owner }];
}

function queueMessage(command: Command<'QueueMessage'>, conversation: Conversation, at: number): ConversationEvent[] {
  const { messageId, content, plainText, owner, whenHandedOff } = command;
  const kept = keptOrRefused(command, conversation, at);
  if (kept) return kept;
  if (conversation.turns.filter(({ state }) => state === 'queued').length >= MAX_QUEUED) {
    const extras = { conversation_id: conversation.id };
    throw new DomainError('conversation_busy', `${MAX_QUEUED} messages already wait for their turns.`, { extras });
  }
  return [{ type: 'MessageQueued', at, messageId, content, plainText, whenHandedOff, owner }];
}

/** What a post comes to without a turn: nothing if it is stored already, or a kept message. Null if it may have a turn. */
function keptOrRefused(
  command: Command<'PostMessage' | 'QueueMessage'>,
  conversation: Conversation,
  at: number,
): ConversationEvent[] | null {
  const { messageId, content, idleMs, whenHandedOff } = command;
  refuseUnopened(conversation);
  if (turnOf(conversation.turns, messageId)) return [];
  if (conversation.status === 'handed_off' && whenHandedOff === 'store') {
    return [{ type: 'MessageKept', at, messageId, content }];
  }
  refuseClosed(conversation);
  if (isIdle(conversation, command.at, idleMs)) throw new IdleEndDue();
  return null;
}

function waitFor(before: Turn | undefined, at: number): void {
  if (before) throw new TurnInProgress(before.state === 'queued' ? at + QUEUE_LOOK_MS : before.windowEndsAt);
}

function openTurn(command: Command<'OpenTurn'>, { turns }: Conversation, at: number): ConversationEvent[] {
  const { messageId, windowEndsAt, owner } = command;
  const turn = turnOf(turns, messageId);
  if (turn?.state !== 'queued') return [];
  waitFor(blockingEarlierTurn(turns, turn, command.at), command.at);
  return [{ type: 'TurnOpened', at, messageId, windowEndsAt, owner }];
}

/** What becomes of the queued messages when the conversation is handed off or ends. */
function closeQueued({ turns }: Conversation, at: number, reason: Closure): ConversationEvent[] {
  return turns
    .filter(({ state }) => state === 'queued')
    .map(({ messageId, isKeptThen }) =>
      isKeptThen && reason === 'conversation_handed_off'
        ? { type: 'ReplyWaived', at, messageId }
        : { type: 'TurnFailed', at, messageId, reason },
    );
}

function handOff({ reason, summary }: Command<'HandOff'>, conversation: Conversation, at: number): ConversationEvent[] {
  refuseUnopened(conversation);
  refuseEnded(conversation);
  if (conversation.status === 'handed_off') return [];
  return [
    { type: 'ConversationHandedOff', at, by: 'client', reason, summary },
    ...closeQueued(conversation, at, 'conversation_handed_off'),
  ];
}

function resume({ note }: Command<'Resume'>, conversation: Conversation, at: number): ConversationEvent[] {
  refuseUnopened(conversation);
  refuseEnded(conversation);
  return conversation.status === 'handed_off' ? [{ type: 'ConversationResumed', at, note }] : [];
}

function replyAsHuman(command: Command<'ReplyAsHuman'>, conversation: Conversation, at: number): ConversationEvent[] {
  const { messageId, content, name } = command;
  refuseUnopened(conversation);
  // Two requests with one key may come to this at once.
  if (conversation.newest.messages.some(({ id }) => id === messageId)) return [];
  refuseEnded(conversation);
  if (conversation.status !== 'handed_off') {
    const extras = { conversation_id: conversation.id };
    throw new DomainError('conversation_not_handed_off', 'The agent has the conversation; hand it off first.', { extras });
  }
  return [{ type: 'HumanReplied', at, messageId, content, author: { name } }];
}

/**
 * Reopens a turn that failed or that a dead process left open. A failed one is refused, or kept for a human, wherever a new post is. A turn
 * no longer remembered counts as failed: the caller has checked that it has no reply. An open turn fails if the agent has left meanwhile.
 */
function reopenTurn(command: Command<'ReopenTurn'>, conversation: Conversation, at: number): ConversationEvent[] {
  const { messageId, windowEndsAt, owner, underWay, whenHandedOff } = command;
  const { turns } = conversation;
  const turn = turnOf(turns, messageId);
  if (turn && !isUnanswered(turn) && turn.state !== 'failed') return [];
  const isLeft = turn !== undefined && isUnanswered(turn);
  if (!isLeft && !command.failedToo) return [];
  if (isLeft) {
    if (isHeld(turn, command)) return [];
    if (isLeftByAgent(conversation)) return [{ type: 'TurnFailed', at, messageId, reason: 'conversation_closed' }];
  } else if (conversation.status === 'handed_off' && whenHandedOff === 'store') {
    return [{ type: 'ReplyWaived', at, messageId }];
  } else refuseClosed(conversation);
  const isUnderWay = (other: Turn) => isHeld(other, command) || underWay.has(other.messageId);
  waitFor(isLeft ? blockingLeftTurn(turns, turn, isUnderWay, command.at) : blockingTurn(turns, command.at, owner), command.at);
  return [{ type: turn?.state === 'queued' ? 'TurnOpened' : 'TurnReopened', at, messageId, windowEndsAt, owner }];
}

/** Whether a living process still runs an open turn. */
function isHeld({ openedAt, owner }: Turn, { openedBefore, gone }: Command<'ReopenTurn'>): boolean {
  return openedAt >= openedBefore && (owner === undefined || !gone.has(owner));
}

function isLeftByAgent({ handedOffAt, endReason }: Conversation): boolean {
  return handedOffAt !== null || endReason === 'agent';
}

/** A reply is stored in any status; what it does to the conversation applies only while that is active, and to its own turn's. */
function recordReply(command: Command<'RecordReply'>, conversation: Conversation, at: number): ConversationEvent[] {
  const { inReplyTo, replyId, content, note, run } = command;
  const turn = turnOf(conversation.turns, inReplyTo);
  if (!turn || turn.state === 'replied') return [];
  const actions = turn.isBeforeHandoff ? command.actions.filter(({ type }) => type === 'appointment') : command.actions;
  const optional = { ...(note && { note }), ...(run !== undefined && { run }) };
  const reply: ConversationEvent = { type: 'AgentReplied', at, replyId, inReplyTo, content, actions, ...optional };
  if (conversation.status !== 'active') return [reply];
  if (actions.some(({ type }) => type === 'end_conversation')) {
    const ended = { type: 'ConversationEnded', at, reason: 'agent', endedAt: at } as const;
    return [reply, ended, ...closeQueued(conversation, at, 'conversation_ended')];
  }
  const handoff = actions.find(({ type }) => type === 'handoff');
  if (handoff?.type !== 'handoff') return [reply];
  const { reason, summary } = handoff;
  const handedOff = { type: 'ConversationHandedOff', at, by: 'agent', reason, summary } as const;
  return [reply, handedOff, ...closeQueued(conversation, at, 'conversation_handed_off')];
}

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

export function customerAlreadyLinked(existingId: string): DomainError {
  return new DomainError('customer_already_linked', 'The conversation is linked with another customer.', {
    param: 'customer',
    extras: { existing_id: existingId },
  });
}

function endConversation(conversation: Conversation, at: number, note: string | null): ConversationEvent[] {
  refuseUnopened(conversation);
  if (conversation.status === 'ended') return [];
  const ended = { type: 'ConversationEnded', at, reason: 'explicit', endedAt: at, ...(note !== null && { note }) } as const;
  return [ended, ...closeQueued(conversation, at, 'conversation_ended')];
}

function refuseUnopened({ status }: Conversation): void {
  if (status === 'unopened') throw resourceMissing('conversation');
}

function refuseClosed({ status, id }: Conversation): void {
  const extras = { conversation_id: id };
  if (status === 'handed_off') {
    throw new DomainError(
      'conversation_handed_off',
      'The conversation was handed off to a human; give it back or end it first.',
      { extras },
    );
  }
  refuseEnded({ status, id });
}

export function refuseEnded({ status, id }: Pick<Conversation, 'status' | 'id'>): void {
  const extras = { conversation_id: id };
  if (status === 'ended') throw new DomainError('conversation_ended', 'The conversation has ended.', { extras });
}
