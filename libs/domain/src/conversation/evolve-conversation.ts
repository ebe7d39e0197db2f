import { unchanged } from '../kernel/decider.js';
import type { ConversationEvent } from './conversation.events.js';
import { UNOPENED, turnOf, type Conversation, type Turn, type Turns } from './conversation.js';

/** Beyond this many turns the oldest closed one is forgotten; its message is looked up in the stream. */
const REMEMBERED = 8;

type Event<Type extends ConversationEvent['type']> = Extract<ConversationEvent, { type: Type }>;

/** Applies one event to a conversation. */
export function evolveConversation(before: Conversation, event: ConversationEvent): Conversation {
  const { at } = event;
  const { turns, lastMessageAt } = before;
  switch (event.type) {
    case 'ConversationOpened':
      return begun(event);
    case 'MessagePosted':
      return talkedOn(before, at, at, opened(turns, newTurn(event)));
    case 'TurnReopened':
      return talkedOn(before, at, lastMessageAt, opened(turns, newTurn(event)));
    case 'AgentReplied':
      return talkedOn(before, at, at, closed(turns, event.inReplyTo, 'replied'));
    case 'TurnFailed':
      return talkedOn(before, at, lastMessageAt, closed(turns, event.messageId, 'failed'));
    case 'ConversationAmended':
      return { ...before, ...event.changes, lastEventAt: at };
    case 'ConversationHandedOff':
      return { ...before, status: 'handed_off', handedOffAt: at, lastEventAt: at };
    case 'ConversationEnded':
      return { ...before, status: 'ended', endedAt: event.endedAt, endReason: event.reason, lastEventAt: at };
    default:
      return unchanged(before, event);
  }
}

function talkedOn(before: Conversation, lastEventAt: number, lastMessageAt: number | null, turns: Turns): Conversation {
  return { ...before, lastMessageAt, lastEventAt, turns };
}

function begun(event: Event<'ConversationOpened'>): Conversation {
  const { at, conversationId: id, projectId, externalId, customerId, metadata, timeZone = null } = event;
  const details = { id, projectId, externalId, customerId, metadata, timeZone };
  return { ...UNOPENED, ...details, status: 'active', createdAt: at, lastEventAt: at };
}

function newTurn({ messageId, at: openedAt, windowEndsAt, owner }: Event<'MessagePosted' | 'TurnReopened'>): Turn {
  const turn = { messageId, state: 'open', openedAt, windowEndsAt } as const;
  return owner === undefined ? turn : { ...turn, owner };
}

/** Adds this turn, which is open: an already open one keeps its position, any other becomes the newest. */
function opened(turns: Turns, turn: Turn): Turns {
  const { messageId } = turn;
  const before = turnOf(turns, messageId);
  if (before?.state === 'open') return turns.map((other) => (other === before ? turn : other));
  const others = before ? turns.filter((other) => other !== before) : turns;
  return forgetOldest([...others, turn]);
}

/** Closes the turn; returns the turns unchanged when they no longer hold it. */
function closed(turns: Turns, messageId: string, state: 'replied' | 'failed'): Turns {
  const index = turns.findIndex((turn) => turn.messageId === messageId);
  const turn = turns[index];
  return turn ? turns.with(index, { ...turn, state }) : turns;
}

/** Mutates its argument, which is the caller's own copy. */
function forgetOldest(turns: Turn[]): Turns {
  if (turns.length <= REMEMBERED) return turns;
  const oldest = turns.findIndex(({ state }) => state !== 'open');
  if (oldest >= 0) turns.splice(oldest, 1);
  return turns;
}
