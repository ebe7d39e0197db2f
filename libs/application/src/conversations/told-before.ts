import { conversationDecider } from '@domain/conversation/conversation.decider';
import type { ConversationEvent } from '@domain/conversation/conversation.events';
import { fold } from '@domain/kernel/decider';
import type { EventStore, ExpectedRevision } from '@ports/event-store.port';
import type { MessageView, SentMessage } from './conversation.commands.js';
import { conversationStream, messageOf } from './conversation-stream.js';

/** So many events of a conversation are read to tell an answer again: a millisecond, however often a client comes. */
const RETOLD_WITHIN = 500;

/** Whether the answer to a post can be told again by `toldBefore`; `revision` is that of its reply. */
export function canBeRetold({ actions }: MessageView, revision: ExpectedRevision): boolean {
  return actions.length === 0 && revision !== 'none' && revision < RETOLD_WITHIN;
}

/**
 * The answer that a post was given, the conversation as it was then: null where its reply did not follow at once, did
 * something, or lies too far from the conversation's beginning.
 */
export async function toldBefore(store: EventStore, conversationId: string, messageId: string): Promise<SentMessage | null> {
  const records = await store.read<ConversationEvent>(conversationStream(conversationId), { limit: RETOLD_WITHIN });
  const at = records.findIndex(({ event }) => event.type === 'MessagePosted' && event.messageId === messageId);
  const [posted, replied] = at < 0 ? [] : records.slice(at, at + 2);
  if (!posted || !replied) return null;
  const [message, reply] = [messageOf(conversationId, posted.event), messageOf(conversationId, replied.event)];
  if (!message || reply?.inReplyTo !== messageId) return null;
  // Whoever comes for a reply that was late is told of the conversation as it is now.
  if (reply.createdAt !== message.createdAt || !canBeRetold(reply, replied.revision)) return null;
  const events = records.slice(0, at + 2).map(({ event }) => event);
  return { message, reply, conversation: fold(conversationDecider, events, conversationDecider.initial) };
}
