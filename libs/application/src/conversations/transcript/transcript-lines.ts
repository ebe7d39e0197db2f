import type { TranscriptLine } from '@ports/agent.port';
import type { EventStore } from '@ports/event-store.port';
import { messageOf, newestFirst } from '../conversation-stream.js';

/** The newest messages of a conversation, oldest first; with `upTo`, those up to that message and itself. */
export async function lastLines(
  store: EventStore,
  conversationId: string,
  count: number,
  upTo?: string,
): Promise<TranscriptLine[]> {
  const lines: TranscriptLine[] = [];
  let isReached = upTo === undefined;
  for await (const { event } of newestFirst(store, conversationId)) {
    const message = messageOf(conversationId, event);
    isReached ||= message?.id === upTo;
    if (message && isReached) lines.push({ role: message.role, content: message.content, at: message.createdAt });
    if (lines.length === count) break;
  }
  return lines.reverse();
}
