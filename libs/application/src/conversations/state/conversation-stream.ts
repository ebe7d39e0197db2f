import type { Conversation } from '@domain/conversation/conversation';
import { conversationDecider } from '@domain/conversation/conversation.decider';
import type { ConversationEvent } from '@domain/conversation/conversation.events';
import { unchanged } from '@domain/kernel/decider';
import { resourceMissing } from '@domain/kernel/domain-error';
import { isId } from '@domain/kernel/ids';
import type { TranscriptLine } from '@ports/agent.port';
import { inTime } from '@kit/time';
import type { Clock } from '@ports/clock.port';
import type { EventStore, ExpectedRevision, Recorded, Revision } from '@ports/event-store.port';
import { recordsOf } from '../../streams/stream-records.js';
import type { StreamRunner } from '../../streams/stream-runner.js';
import type { MessageView } from './message-view.js';

export function conversationStream(conversationId: string): string {
  return `conversation-${conversationId}`;
}

/** The message an event carries; null for events that carry none. */
export function messageOf(conversationId: string, event: ConversationEvent): MessageView | null {
  const { at: createdAt } = event;
  switch (event.type) {
    case 'MessagePosted': {
      const { messageId: id, content } = event;
      return { id, conversationId, role: 'user', content, createdAt, inReplyTo: null, actions: [] };
    }
    case 'AgentReplied': {
      const { replyId: id, inReplyTo, content, actions } = event;
      return { id, conversationId, role: 'assistant', content, createdAt, inReplyTo, actions };
    }
    case 'ConversationOpened':
    case 'TurnReopened':
    case 'TurnFailed':
    case 'ConversationAmended':
    case 'ConversationHandedOff':
    case 'ConversationEnded':
      return null;
    default:
      return unchanged(null, event);
  }
}

/** Events of a conversation, newest first, read as far as the caller goes. */
export function newestFirst(store: EventStore, conversationId: string): AsyncGenerator<Recorded<ConversationEvent>> {
  return recordsOf<ConversationEvent>(store, conversationStream(conversationId), 'desc');
}

export interface StoredTurn {
  readonly message: MessageView;
  /** The message's place in the stream. */
  readonly revision: Revision;
  readonly plainText: boolean;
  readonly reply: MessageView | null;
}

/** A posted message and its reply as the stream has them; null when the message was never stored there. */
export async function findTurn(store: EventStore, conversationId: string, messageId: string): Promise<StoredTurn | null> {
  let reply: MessageView | null = null;
  for await (const { event, revision } of newestFirst(store, conversationId)) {
    if (event.type === 'AgentReplied' && event.inReplyTo === messageId) reply = messageOf(conversationId, event);
    if (event.type !== 'MessagePosted' || event.messageId !== messageId) continue;
    const message = messageOf(conversationId, event);
    return message && { message, revision, plainText: event.plainText, reply };
  }
  return null;
}

/** The newest state of a project's conversation; unknown, foreign and malformed ids are refused alike. */
export async function loadConversation(
  streams: StreamRunner,
  projectId: string,
  conversationId: string,
  param = 'id',
): Promise<Conversation> {
  if (!isId('conversation', conversationId)) throw resourceMissing('conversation', param);
  const { state } = await streams.load(conversationStream(conversationId), conversationDecider);
  if (state.status === 'unopened' || state.projectId !== projectId) throw resourceMissing('conversation', param);
  return state;
}

/** The newest messages of a conversation, oldest first; those up to a message and itself; with the notes of one writer. */
export async function lastLines(
  store: EventStore,
  conversationId: string,
  count: number,
  { upTo, notesOf }: { readonly upTo?: string; readonly notesOf?: string } = {},
): Promise<TranscriptLine[]> {
  const lines: TranscriptLine[] = [];
  const outcomes = new NewestOutcomes();
  let isReached = upTo === undefined;
  for await (const { event } of newestFirst(store, conversationId)) {
    outcomes.note(event);
    const message = messageOf(conversationId, event);
    isReached ||= message?.id === upTo;
    if (message && isReached) lines.push({ ...lineOf(message, outcomes), ...noteOf(event, notesOf) });
    if (lines.length === count) break;
  }
  return lines.reverse();
}

/** The newest event about each turn, after its message. */
class NewestOutcomes {
  private readonly newest = new Map<string, ConversationEvent['type']>();

  /** Takes the events of one conversation, newest first. */
  note(event: ConversationEvent): void {
    const messageId = answeredBy(event);
    if (messageId !== null && !this.newest.has(messageId)) this.newest.set(messageId, event.type);
  }

  hasFailed(messageId: string): boolean {
    return this.newest.get(messageId) === 'TurnFailed';
  }
}

function answeredBy(event: ConversationEvent): string | null {
  if (event.type === 'AgentReplied') return event.inReplyTo;
  return event.type === 'TurnFailed' || event.type === 'TurnReopened' ? event.messageId : null;
}

function lineOf({ id, role, content, createdAt: at }: MessageView, outcomes: NewestOutcomes): TranscriptLine {
  return outcomes.hasFailed(id) ? { role, content, at, failed: true } : { role, content, at };
}

function noteOf(event: ConversationEvent, writer?: string): Pick<TranscriptLine, 'note'> {
  return event.type === 'AgentReplied' && event.note && event.note.writer === writer ? { note: event.note.text } : {};
}

/** Resolves when the stream has grown beyond `revision`, or at the instant `at`. */
export async function grownOrAt(
  store: EventStore,
  clock: Clock,
  stream: string,
  revision: ExpectedRevision,
  at: number,
): Promise<void> {
  const over = new AbortController();
  await inTime(clock, at - clock.now(), store.changed(stream, revision, over.signal));
  over.abort();
}
