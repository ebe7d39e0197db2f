import type { EventStore } from '@ports/event-store.port';
import type { SortKey } from '@ports/read-models.port';
import type { ListKind } from '../projections/cursor.js';
import { compareKeys, sortIdOf, type Order, type PagedSource } from '../projections/paged-list.js';
import { firstRevision } from '../stream-walk.js';
import type { MessageView } from './conversation.commands.js';
import { eventsOf, messageOf } from './conversation-stream.js';

export const TRANSCRIPT: ListKind = { list: 'messages', idKind: 'message' };

/** A message and its place: its stream's revision is its sort id. */
export interface TranscriptItem {
  readonly message: MessageView;
  readonly key: SortKey;
}

/** A conversation's messages as a list to be walked: pages are ranges of the stream itself. */
export function transcriptOf(
  store: EventStore,
  log: string,
  conversationId: string,
  role: MessageView['role'] | null,
): PagedSource<TranscriptItem> {
  const all = (order: Order, after?: SortKey) => items(store, conversationId, order, after);
  return {
    ...TRANSCRIPT,
    log: `${log}/${conversationId}`,
    keyOf: ({ key }) => key,
    find: async (id) => {
      for await (const { message, key } of all('desc')) if (message.id === id) return key;
      return null;
    },
    fetch: async (order, after, limit) => {
      const page: TranscriptItem[] = [];
      for await (const item of all(order, after)) {
        if (role === null || item.message.role === role) page.push(item);
        if (page.length >= limit) break;
      }
      return page;
    },
  };
}

async function* items(
  store: EventStore,
  conversationId: string,
  order: Order,
  after: SortKey | undefined,
): AsyncGenerator<TranscriptItem> {
  const sign = order === 'asc' ? 1 : -1;
  for await (const record of eventsOf(store, conversationId, order, firstRevision(after, sign))) {
    const message = messageOf(conversationId, record.event);
    if (!message) continue;
    const key = { createdAt: message.createdAt, sortId: sortIdOf(record.revision) };
    if (!after || sign * compareKeys(key, after) > 0) yield { message, key };
  }
}
