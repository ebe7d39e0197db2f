import type { EndReason, HandoffParty } from './conversation.events.js';
import { NOTHING_SAID, type NewestMessages } from './newest-messages.js';

export const CONVERSATION_STATUSES = ['active', 'ended', 'handed_off'] as const;
export type ConversationStatus = (typeof CONVERSATION_STATUSES)[number];

export interface Turn {
  readonly messageId: string;
  /** `refused`: it was queued when the conversation was handed off or ended. `kept`: it gets no reply. */
  readonly state: 'queued' | 'open' | 'replied' | 'failed' | 'refused' | 'kept';
  readonly openedAt: number;
  readonly windowEndsAt: number;
  /** The process that opened it; absent in earlier versions. */
  readonly owner?: string;
  /** It was open when a human took over: its reply no longer acts on the conversation. */
  readonly isBeforeHandoff?: true;
  /** Of a queued one: it is kept if a human takes over. */
  readonly isKeptThen?: true;
}

interface Handoff {
  readonly by: HandoffParty;
  readonly reason: string | null;
  readonly summary: string | null;
  readonly at: number;
}

/** What the agent is told when a human has given the conversation back. */
interface Handback {
  readonly handedOffAt: number;
  readonly resumedAt: number;
  readonly note: string | null;
}

export type Turns = readonly Turn[];

/** A conversation, folded from its stream; `unopened` before the first event. */
export interface Conversation {
  readonly status: 'unopened' | ConversationStatus;
  readonly id: string;
  readonly projectId: string;
  readonly externalId: string | null;
  readonly customerId: string | null;
  readonly metadata: string;
  readonly timeZone: string | null;
  readonly createdAt: number;
  readonly lastMessageAt: number | null;
  readonly handedOffAt: number | null;
  /** The hand-off, also after the end; null after a resume. */
  readonly handoff: Handoff | null;
  readonly resumedAt: number | null;
  readonly handback: Handback | null;
  readonly endedAt: number | null;
  readonly endReason: EndReason | null;
  /** No later event may have an earlier instant. */
  readonly lastEventAt: number;
  readonly turns: Turns;
  readonly newest: NewestMessages;
}

export type ConversationCard = Pick<Conversation, 'id' | 'projectId' | 'customerId' | 'metadata' | 'timeZone' | 'handback'>;

export function cardOf({ id, projectId, customerId, metadata, timeZone, handback }: Conversation): ConversationCard {
  return { id, projectId, customerId, metadata, timeZone, handback };
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
  handoff: null,
  resumedAt: null,
  handback: null,
  endedAt: null,
  endReason: null,
  lastEventAt: 0,
  turns: [],
  newest: NOTHING_SAID,
};

/** When the conversation ends by idling; null while it cannot (not active, or a turn is open or queued). */
export function idleEnd(
  { status, createdAt, lastMessageAt, resumedAt, turns }: IdlingConversation,
  idleMs: number,
): number | null {
  if (status !== 'active' || openTurns(turns).length > 0) return null;
  return Math.max(lastMessageAt ?? createdAt, resumedAt ?? createdAt) + idleMs;
}

type IdlingConversation = Pick<Conversation, 'status' | 'createdAt' | 'lastMessageAt' | 'resumedAt' | 'turns'>;

export function idledOutSince(at: number, idleMs: number): number {
  return at - idleMs;
}

export function isIdle(conversation: Conversation, at: number, idleMs: number): boolean {
  const since = idleEnd(conversation, 0);
  return since !== null && since <= idledOutSince(at, idleMs);
}

/** As shown to readers: including an idle end that is due but not stored. */
export function asOf(conversation: Conversation, at: number, idleMs: number): Conversation {
  if (!isIdle(conversation, at, idleMs)) return conversation;
  return { ...conversation, status: 'ended', endedAt: idleEnd(conversation, idleMs), endReason: 'idle' };
}

/** Also undefined for a forgotten turn, which only the stream still holds. */
export function turnOf(turns: Turns, messageId: string): Turn | undefined {
  return turns.find((turn) => turn.messageId === messageId);
}

export function isUnanswered({ state }: Turn): boolean {
  return state === 'open' || state === 'queued';
}

/** Those whose reply is still to come, queued ones too. */
export function openTurns(turns: Turns): Turns {
  return turns.filter(isUnanswered);
}

export function ownersOf(turns: Turns): readonly string[] {
  return openTurns(turns).flatMap(({ owner }) => owner ?? []);
}

/** What the next turn waits for. A process orders the messages it has queued itself: they do not block its own posts. */
export function blockingTurn(turns: Turns, at: number, poster?: string): Turn | undefined {
  return turns.find(
    ({ state, windowEndsAt, owner }) => (state === 'open' && windowEndsAt > at) || (state === 'queued' && owner !== poster),
  );
}

/** An earlier turn that a queued one waits for. */
export function blockingEarlierTurn(turns: Turns, queued: Turn, at: number): Turn | undefined {
  return blockingTurn(turns.slice(0, turns.indexOf(queued)), at);
}

/** The open turn that blocks reopening `left`: an earlier one, or a running one. */
export function blockingLeftTurn(turns: Turns, left: Turn, isUnderWay: (turn: Turn) => boolean, at: number): Turn | undefined {
  const place = turns.indexOf(left);
  return blockingTurn(
    turns.filter((turn, index) => index < place || (turn !== left && isUnderWay(turn))),
    at,
  );
}
