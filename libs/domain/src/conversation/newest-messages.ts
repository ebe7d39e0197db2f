import { unchanged } from '../kernel/decider.js';
import type { Role } from '../kernel/role.js';
import type { AgentNote } from './agent-note.js';
import type { ConversationEvent } from './conversation.events.js';

const MAX_MESSAGES = 100;
/** In characters of what was said and noted. */
const MAX_CHARACTERS = 8 * 1024;

/** What was said in a conversation, by the customer, the agent, or a human in its place. */
export interface SaidMessage {
  readonly id: string;
  readonly role: Role;
  readonly content: string;
  readonly at: number;
  /** It got no reply, because its turn failed. */
  readonly hasFailed: boolean;
  readonly note: AgentNote | null;
  /** The name of the human who wrote it; absent where the customer or the agent did. */
  readonly human?: string;
}

/** The newest messages of a conversation, oldest first. */
export interface NewestMessages {
  readonly messages: readonly SaidMessage[];
  readonly characters: number;
  /** Whether they are all that was said. */
  readonly isWhole: boolean;
}

export const NOTHING_SAID: NewestMessages = { messages: [], characters: 0, isWhole: true };

/** The messages after an event, however many they are. */
export function afterEvent(before: NewestMessages, event: ConversationEvent): NewestMessages {
  switch (event.type) {
    case 'MessagePosted':
    case 'MessageQueued':
    case 'MessageKept': {
      const { messageId: id, content, at } = event;
      return said(before, { id, role: 'user', content, at, hasFailed: false, note: null });
    }
    case 'AgentReplied': {
      const { replyId: id, inReplyTo, content, at, note = null } = event;
      return said(marked(before, inReplyTo, false), { id, role: 'assistant', content, at, hasFailed: false, note });
    }
    case 'TurnFailed':
      return marked(before, event.messageId, true);
    case 'TurnReopened':
    case 'ReplyWaived':
      return marked(before, event.messageId, false);
    case 'TurnOpened':
      return movedToEnd(before, event.messageId);
    case 'HumanReplied': {
      const { messageId: id, content, at, author } = event;
      return said(before, { id, role: 'assistant', content, at, hasFailed: false, note: null, human: author.name });
    }
    case 'ConversationResumed':
    case 'ConversationOpened':
    case 'ConversationAmended':
    case 'ConversationHandedOff':
    case 'ConversationEnded':
      return before;
    default:
      return unchanged(before, event);
  }
}

/** As many of the newest as a conversation keeps in its state. */
export function withinBounds({ messages, characters, isWhole }: NewestMessages): NewestMessages {
  let first = 0;
  let left = characters;
  while (messages.length - first > MAX_MESSAGES || left > MAX_CHARACTERS) left -= weightOf(messages[first++]);
  return first === 0 ? { messages, characters, isWhole } : { messages: messages.slice(first), characters: left, isWhole: false };
}

/** The last `count` messages up to this one and itself, or up to the newest; null where some of them are not among these. */
export function lastMessages({ messages, isWhole }: NewestMessages, count: number, upTo?: string): readonly SaidMessage[] | null {
  const end = upTo === undefined ? messages.length : messages.findLastIndex(({ id }) => id === upTo) + 1;
  if (upTo !== undefined && end === 0) return null;
  return isWhole || end >= count ? messages.slice(Math.max(0, end - count), end) : null;
}

function said({ messages, characters, isWhole }: NewestMessages, message: SaidMessage): NewestMessages {
  return { messages: [...messages, message], characters: characters + weightOf(message), isWhole };
}

/** A queued message is answered after what was said meanwhile. */
function movedToEnd(before: NewestMessages, id: string): NewestMessages {
  const { messages } = before;
  const place = messages.findLastIndex((each) => each.id === id);
  const message = messages[place];
  if (message) return { ...before, messages: [...messages.toSpliced(place, 1), message] };
  return { messages: [], characters: 0, isWhole: false };
}

function marked(before: NewestMessages, id: string, hasFailed: boolean): NewestMessages {
  const { messages } = before;
  const place = messages.findLastIndex((message) => message.id === id);
  const message = messages[place];
  if (!message || message.hasFailed === hasFailed) return before;
  return { ...before, messages: messages.with(place, { ...message, hasFailed }) };
}

function weightOf(message: SaidMessage | undefined): number {
  return message ? message.content.length + (message.note?.text.length ?? 0) : 0;
}
