import type { EndReason } from './conversation.events.js';

export const CONVERSATION_STATUSES = ['active', 'ended', 'handed_off'] as const;
export type ConversationStatus = (typeof CONVERSATION_STATUSES)[number];

/** The state of one posted message. */
export interface Turn {
  readonly messageId: string;
  readonly state: 'open' | 'replied' | 'failed';
  /** When the message was posted, or its turn reopened. */
  readonly openedAt: number;
  readonly windowEndsAt: number;
  /** The process that opened it; unknown of turns that an earlier version opened. */
  readonly owner?: string;
}

export type Turns = readonly Turn[];

/** A conversation as its stream tells it; `unopened` before the first event. */
export interface Conversation {
  readonly status: 'unopened' | ConversationStatus;
  readonly id: string;
  readonly projectId: string;
  readonly externalId: string | null;
  readonly customerId: string | null;
  readonly metadata: string;
  /** IANA name; null where the client gave none. */
  readonly timeZone: string | null;
  readonly createdAt: number;
  readonly lastMessageAt: number | null;
  readonly handedOffAt: number | null;
  readonly endedAt: number | null;
  readonly endReason: EndReason | null;
  /** The newest event's instant; no later event may have an earlier one. */
  readonly lastEventAt: number;
  readonly turns: Turns;
}

/** What a turn needs of its conversation, as of its beginning, however long it takes. */
export type ConversationCard = Pick<Conversation, 'id' | 'projectId' | 'customerId' | 'metadata' | 'timeZone'>;

export function cardOf({ id, projectId, customerId, metadata, timeZone }: Conversation): ConversationCard {
  return { id, projectId, customerId, metadata, timeZone };
}

export const UNOPENED: Conversation = {
  status: 'unopened',
  id: '',
  projectId: '',
  externalId: null,
  customerId: null,
  metadata: '{}',
  timeZone: null,
  createdAt: 0,
  lastMessageAt: null,
  handedOffAt: null,
  endedAt: null,
  endReason: null,
  lastEventAt: 0,
  turns: [],
};

/** When the conversation ends by idling; null while it cannot (not active, or a turn is open). */
export function idleEnd(
  conversation: Pick<Conversation, 'status' | 'createdAt' | 'lastMessageAt' | 'turns'>,
  idleMs: number,
): number | null {
  if (conversation.status !== 'active' || openTurns(conversation.turns).length > 0) return null;
  return (conversation.lastMessageAt ?? conversation.createdAt) + idleMs;
}

/** A conversation idle since this instant or earlier has ended; the boundary itself is included. */
export function idledOutSince(at: number, idleMs: number): number {
  return at - idleMs;
}

/** Whether the idle time has run out at this instant, in epoch milliseconds. */
export function isIdle(conversation: Conversation, at: number, idleMs: number): boolean {
  const since = idleEnd(conversation, 0);
  return since !== null && since <= idledOutSince(at, idleMs);
}

/** The conversation as shown to readers: an idle end that is due but not stored yet is included. */
export function asOf(conversation: Conversation, at: number, idleMs: number): Conversation {
  if (!isIdle(conversation, at, idleMs)) return conversation;
  return { ...conversation, status: 'ended', endedAt: idleEnd(conversation, idleMs), endReason: 'idle' };
}

/** Returns undefined for a forgotten turn too; the stream still holds it. */
export function turnOf(turns: Turns, messageId: string): Turn | undefined {
  return turns.find((turn) => turn.messageId === messageId);
}

export function openTurns(turns: Turns): Turns {
  return turns.filter(({ state }) => state === 'open');
}

/** The processes that have the open turns. */
export function ownersOf(turns: Turns): readonly string[] {
  return openTurns(turns).flatMap(({ owner }) => owner ?? []);
}

/** The open turn that blocks the next message, if any. */
export function blockingTurn(turns: Turns, at: number): Turn | undefined {
  return turns.find((turn) => turn.state === 'open' && turn.windowEndsAt > at);
}

/** The open turn that blocks reopening a turn left open, if any: an earlier one, or one that is running. */
export function blockingLeftTurn(turns: Turns, left: Turn, isUnderWay: (turn: Turn) => boolean, at: number): Turn | undefined {
  const place = turns.indexOf(left);
  return blockingTurn(
    turns.filter((turn, index) => index < place || (turn !== left && isUnderWay(turn))),
    at,
  );
}
