import type { ConversationEvent } from '@domain/conversation/conversation.events';
import type { EventStore } from '@ports/event-store.port';
import type { ListKind } from '../../paging/cursor.js';
import type { PagedSource } from '../../paging/paged-list.js';
import { streamList, type Placed } from '../../streams/stream-list.js';
import { conversationStream, messageOf } from '../conversation-stream.js';
import type { MessageView } from '../conversation.commands.js';

export const TRANSCRIPT: ListKind = { list: 'messages', idKind: 'message' };

/** A conversation's messages, or those of one role, as a list to be walked. */
export function transcriptOf(
  store: EventStore,
  log: string,
  conversationId: string,
  role: MessageView['role'] | null,
): PagedSource<Placed<MessageView>> {
  const name = { ...TRANSCRIPT, log: `${log}/${conversationId}` };
  const toMessage = (event: ConversationEvent) => messageOf(conversationId, event);
  const isWanted = (message: MessageView) => role === null || message.role === role;
  return streamList(name, store, conversationStream(conversationId), toMessage, isWanted);
}
