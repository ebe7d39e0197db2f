import { UNOPENED, type Conversation } from './conversation.js';
import type { ConversationEvent } from './conversation.events.js';
import { closed, opened } from './turn.js';

type Event<Type extends ConversationEvent['type']> = Extract<ConversationEvent, { type: Type }>;

/** A conversation after one more event. */
export function evolveConversation(before: Conversation, event: ConversationEvent): Conversation {
  const { at } = event;
  const conversation = { ...before, lastEventAt: at };
  const { turns } = before;
  switch (event.type) {
    case 'ConversationOpened':
      return begun(event);
    case 'MessagePosted':
      return { ...conversation, lastMessageAt: at, turns: opened(turns, newTurn(event)) };
    case 'TurnReopened':
      return { ...conversation, turns: opened(turns, newTurn(event)) };
    case 'AgentReplied':
      return { ...conversation, lastMessageAt: at, turns: closed(turns, event.inReplyTo, 'replied') };
    case 'TurnFailed':
      return { ...conversation, turns: closed(turns, event.messageId, 'failed') };
    case 'ConversationHandedOff':
      return { ...conversation, status: 'handed_off', handedOffAt: at };
    case 'ConversationEnded':
      return { ...conversation, status: 'ended', endedAt: event.endedAt, endReason: event.reason };
  }
}

function begun(event: Event<'ConversationOpened'>): Conversation {
  const { at, conversationId: id, projectId, externalId, customerId, metadata } = event;
  const details = { id, projectId, externalId, customerId, metadata };
  return { ...UNOPENED, ...details, status: 'active', createdAt: at, lastEventAt: at };
}

function newTurn({ messageId, at: openedAt, windowEndsAt }: Event<'MessagePosted' | 'TurnReopened'>) {
  return { messageId, openedAt, windowEndsAt };
}
