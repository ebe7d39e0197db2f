import type { Conversation } from '@domain/conversation/conversation';
import { conversationDecider } from '@domain/conversation/conversation.decider';
import type { ConversationEvent } from '@domain/conversation/conversation.events';
import {
  afterEvent,
  lastMessages,
  NOTHING_SAID,
  type NewestMessages,
  type SaidMessage,
} from '@domain/conversation/newest-messages';
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

/** Null for events without a message. */
export function messageOf(conversationId: string, event: ConversationEvent): MessageView | null {
  const { at: createdAt } = event;
  switch (event.type) {
    case 'MessagePosted':
    case 'MessageQueued':
    case 'MessageKept': {
      const { messageId: id, content } = event;
      const author = { type: 'user' } as const;
      return { id, conversationId, role: 'user', author, content, createdAt, inReplyTo: null, actions: [] };
    }
    case 'AgentReplied': {
      const { replyId: id, inReplyTo, content, actions } = event;
      const author = { type: 'agent' } as const;
      return { id, conversationId, role: 'assistant', author, content, createdAt, inReplyTo, actions };
    }
    case 'HumanReplied': {
      const { messageId: id, content } = event;
      const author = { type: 'human', name: event.author.name } as const;
      return { id, conversationId, role: 'assistant', author, content, createdAt, inReplyTo: null, actions: [] };
    }
    case 'ConversationOpened':
    case 'TurnOpened':
    case 'TurnReopened':
    case 'TurnFailed':
    case 'ReplyWaived':
    case 'ConversationAmended':
    case 'ConversationHandedOff':
    case 'ConversationResumed':
    case 'ConversationEnded':
      return null;
    default:
      return unchanged(null, event);
  }
}

/** Lazy: reads only as far as the caller iterates. */
export function newestFirst(store: EventStore, conversationId: string): AsyncGenerator<Recorded<ConversationEvent>> {
  return recordsOf<ConversationEvent>(store, conversationStream(conversationId), 'desc');
}

/** Where the reply to a customer's message stands. `reason` of a failure: an error code of the agent's port, or a `Closure`. */
export type ReplyState =
  | { readonly is: 'queued' | 'open' | 'kept' }
  | { readonly is: 'replied'; readonly reply: MessageView; readonly run: string | null }
  | { readonly is: 'failed'; readonly reason: string };

export interface StoredTurn {
  readonly message: MessageView;
  /** Of the event that stored the message. */
  readonly revision: Revision;
  readonly plainText: boolean;
  readonly state: ReplyState;
}

/** Null when the message was never stored there. */
export async function findTurn(store: EventStore, conversationId: string, messageId: string): Promise<StoredTurn | null> {
  let newest: ReplyState | null = null;
  for await (const { event, revision } of newestFirst(store, conversationId)) {
    const state = stateAfter(conversationId, event, messageId);
    newest = state?.is === 'replied' ? state : (newest ?? state);
    const message = isPost(event) && event.messageId === messageId ? messageOf(conversationId, event) : null;
    if (message && newest) return { message, revision, plainText: 'plainText' in event && event.plainText, state: newest };
  }
  return null;
}

/** Whether it stores a message of the customer. */
export function isPost(event: ConversationEvent) {
  return event.type === 'MessagePosted' || event.type === 'MessageQueued' || event.type === 'MessageKept';
}

/** What an event says of the reply to this message; null for events of others. */
function stateAfter(conversationId: string, event: ConversationEvent, messageId: string): ReplyState | null {
  if (event.type === 'AgentReplied' && event.inReplyTo === messageId) {
    const reply = messageOf(conversationId, event);
    return reply && { is: 'replied', reply, run: event.run ?? null };
  }
  if (!('messageId' in event) || event.messageId !== messageId) return null;
  switch (event.type) {
    case 'MessageQueued':
      return { is: 'queued' };
    case 'MessagePosted':
    case 'TurnOpened':
    case 'TurnReopened':
      return { is: 'open' };
    case 'MessageKept':
    case 'ReplyWaived':
      return { is: 'kept' };
    case 'TurnFailed':
      return { is: 'failed', reason: event.reason };
    case 'HumanReplied':
      return null;
  }
}

/** The newest state. Unknown, foreign and malformed ids are refused alike. */
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

/** The newest messages up to and including a message, oldest first, with one writer's notes. Read only where the cached fold lacks them. */
export async function lastLines(
  { cache }: StreamRunner,
  store: EventStore,
  conversationId: string,
  count: number,
  { upTo, notesOf }: { readonly upTo?: string; readonly notesOf?: string } = {},
): Promise<readonly TranscriptLine[]> {
  const cached = cache.get<Conversation>(conversationStream(conversationId));
  const held = cached && lastMessages(cached.state.newest, count, upTo);
  const messages = held ?? lastMessages(await readBack(store, conversationId, count, upTo), count, upTo) ?? [];
  return messages.map((message) => lineOf(message, notesOf));
}

/** At least `count` messages up to and including this one, and all later ones. */
async function readBack(store: EventStore, conversationId: string, count: number, upTo?: string): Promise<NewestMessages> {
  const events: ConversationEvent[] = [];
  let [isReached, left] = [upTo === undefined, count];
  for await (const { event } of newestFirst(store, conversationId)) {
    events.push(event);
    const message = messageOf(conversationId, event);
    isReached ||= message?.id === upTo;
    if (message && isReached) left -= 1;
    if (left === 0) break;
  }
  return events.reduceRight(afterEvent, NOTHING_SAID);
}

function lineOf({ role, content, at, hasFailed, note, human }: SaidMessage, notesOf?: string): TranscriptLine {
  const ofAgent = note && note.writer === notesOf && { note: note.text };
  return { role, content, at, ...(hasFailed && { failed: true }), ...ofAgent, ...(human !== undefined && { human }) };
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
