import type { ConversationEvent } from './conversation.events.js';
import { UNOPENED, type Conversation } from './conversation.js';
import { closed, opened, type Turns } from './turn.js';

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
    case 'ConversationHandedOff':
      return { ...before, status: 'handed_off', handedOffAt: at, lastEventAt: at };
    case 'ConversationEnded':
      return { ...before, status: 'ended', endedAt: event.endedAt, endReason: event.reason, lastEventAt: at };
  }
}

/** Members are copied one by one: this runs for every message, and spreading takes seven times as long. */
function talkedOn(before: Conversation, lastEventAt: number, lastMessageAt: number | null, turns: Turns): Conversation {
  const { status, id, projectId, externalId, customerId, metadata, createdAt, handedOffAt, endedAt, endReason } = before;
  return {
    status,
    id,
    projectId,
    externalId,
    customerId,
    metadata,
    createdAt,
    lastMessageAt,
    handedOffAt,
    endedAt,
    endReason,
    lastEventAt,
    turns,
  };
}

function begun(event: Event<'ConversationOpened'>): Conversation {
  const { at, conversationId: id, projectId, externalId, customerId, metadata } = event;
  const details = { id, projectId, externalId, customerId, metadata };
  return { ...UNOPENED, ...details, status: 'active', createdAt: at, lastEventAt: at };
}

function newTurn({ messageId, at: openedAt, windowEndsAt }: Event<'MessagePosted' | 'TurnReopened'>) {
  return { messageId, openedAt, windowEndsAt };
}
