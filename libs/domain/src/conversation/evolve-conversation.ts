import { unchanged } from '../kernel/decider.js';
import { isClosure, type ConversationEvent } from './conversation.events.js';
import { UNOPENED, isUnanswered, turnOf, type Conversation, type Turn, type Turns } from './conversation.js';
import { afterEvent, withinBounds } from './newest-messages.js';

/** Beyond this number the oldest closed turn is forgotten; its message is then looked up in the stream. */
const REMEMBERED = 8;

type Event<Type extends ConversationEvent['type']> = Extract<ConversationEvent, { type: Type }>;

export function evolveConversation(before: Conversation, event: ConversationEvent): Conversation {
  const { at } = event;
  const { turns, lastMessageAt } = before;
  switch (event.type) {
    case 'ConversationOpened':
      return begun(event);
    case 'MessagePosted':
      return talkedOn(before, event, at, opened(turns, newTurn(event)));
    case 'MessageQueued':
      return talkedOn(before, event, at, opened(turns, queuedTurn(event)));
    case 'MessageKept':
      return talkedOn(before, event, at, opened(turns, keptTurn(event)));
    case 'ReplyWaived':
      return talkedOn(before, event, lastMessageAt, closed(turns, event.messageId, 'kept'));
    case 'HumanReplied':
      return talkedOn(before, event, at, turns);
    case 'TurnOpened':
    case 'TurnReopened':
      return talkedOn(before, event, lastMessageAt, opened(turns, newTurn(event)));
    case 'AgentReplied':
      return talkedOn(before, event, at, closed(turns, event.inReplyTo, 'replied'));
    case 'TurnFailed':
      return talkedOn(
        before,
        event,
        lastMessageAt,
        closed(turns, event.messageId, isClosure(event.reason) ? 'refused' : 'failed'),
      );
    case 'ConversationAmended':
      return { ...before, ...event.changes, lastEventAt: at };
    case 'ConversationHandedOff':
      return handedOff(before, event);
    case 'ConversationResumed':
      return resumed(before, event);
    case 'ConversationEnded':
      return { ...before, status: 'ended', endedAt: event.endedAt, endReason: event.reason, lastEventAt: at };
    default:
      return unchanged(before, event);
  }
}

function talkedOn(before: Conversation, event: ConversationEvent, lastMessageAt: number | null, turns: Turns): Conversation {
  return { ...before, lastMessageAt, lastEventAt: event.at, turns, newest: withinBounds(afterEvent(before.newest, event)) };
}

function begun(event: Event<'ConversationOpened'>): Conversation {
  const { at, conversationId: id, projectId, externalId, customerId, metadata, timeZone = null } = event;
  const details = { id, projectId, externalId, customerId, metadata, timeZone };
  return { ...UNOPENED, ...details, status: 'active', createdAt: at, lastEventAt: at };
}

function handedOff(before: Conversation, event: Event<'ConversationHandedOff'>): Conversation {
  const { at, by = 'agent', reason = null, summary = null } = event;
  const turns = before.turns.map((turn) => (turn.state === 'open' ? { ...turn, isBeforeHandoff: true as const } : turn));
  return { ...before, status: 'handed_off', handedOffAt: at, handoff: { by, reason, summary, at }, turns, lastEventAt: at };
}

function resumed(before: Conversation, { at, note }: Event<'ConversationResumed'>): Conversation {
  const handback = { handedOffAt: before.handedOffAt ?? at, resumedAt: at, note };
  return { ...before, status: 'active', handedOffAt: null, handoff: null, resumedAt: at, handback, lastEventAt: at };
}

function queuedTurn({ messageId, at, owner, whenHandedOff }: Event<'MessageQueued'>): Turn {
  const turn = { messageId, state: 'queued', openedAt: at, windowEndsAt: at, owner } as const;
  return whenHandedOff === 'store' ? { ...turn, isKeptThen: true } : turn;
}

function keptTurn({ messageId, at }: Event<'MessageKept'>): Turn {
  return { messageId, state: 'kept', openedAt: at, windowEndsAt: at };
}

function newTurn({ messageId, at: openedAt, windowEndsAt, owner }: Event<'MessagePosted' | 'TurnOpened' | 'TurnReopened'>): Turn {
  const turn = { messageId, state: 'open', openedAt, windowEndsAt } as const;
  return owner === undefined ? turn : { ...turn, owner };
}

/** An open or queued turn keeps its place; any other becomes the newest. */
function opened(turns: Turns, turn: Turn): Turns {
  const { messageId } = turn;
  const before = turnOf(turns, messageId);
  if (before && isUnanswered(before)) {
    const reopened: Turn = before.isBeforeHandoff ? { ...turn, isBeforeHandoff: true } : turn;
    return turns.map((other) => (other === before ? reopened : other));
  }
  const others = before ? turns.filter((other) => other !== before) : turns;
  return forgetOldest([...others, turn]);
}

function closed(turns: Turns, messageId: string, state: Exclude<Turn['state'], 'open' | 'queued'>): Turns {
  const index = turns.findIndex((turn) => turn.messageId === messageId);
  const turn = turns[index];
  return turn ? turns.with(index, { ...turn, state }) : turns;
}

function forgetOldest(turns: Turn[]): Turns {
  if (turns.length <= REMEMBERED) return turns;
  const oldest = turns.findIndex((turn) => !isUnanswered(turn));
  if (oldest >= 0) turns.splice(oldest, 1);
  return turns;
}
