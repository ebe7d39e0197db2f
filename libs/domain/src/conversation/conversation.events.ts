import type { AgentNote } from './agent-note.js';
import type { ReplyAction } from './reply-action.js';

export const END_REASONS = ['explicit', 'agent', 'idle'] as const;
export type EndReason = (typeof END_REASONS)[number];

/** What can be changed of a conversation. A customer is linked once. */
export interface ConversationChanges {
  readonly customerId?: string;
  /** The JSON text as sent. */
  readonly metadata?: string;
  /** IANA name; null is none. */
  readonly timeZone?: string | null;
}

/** The events of a conversation's stream. All times are epoch milliseconds. */
export type ConversationEvent =
  | {
      readonly type: 'ConversationOpened';
      readonly at: number;
      readonly conversationId: string;
      readonly projectId: string;
      readonly externalId: string | null;
      readonly customerId: string | null;
      /** The JSON text as sent. */
      readonly metadata: string;
      /** IANA name; absent where the client gave none, and in events of earlier versions. */
      readonly timeZone?: string;
    }
  | {
      readonly type: 'MessagePosted';
      readonly at: number;
      readonly messageId: string;
      readonly content: string;
      /** Whether markup is stripped from the reply. */
      readonly plainText: boolean;
      /** The turn blocks the next one until this instant. */
      readonly windowEndsAt: number;
      /** The process that asks for the reply; absent in events of earlier versions. */
      readonly owner?: string;
    }
  | {
      readonly type: 'TurnReopened';
      readonly at: number;
      readonly messageId: string;
      readonly windowEndsAt: number;
      /** As of `MessagePosted`. */
      readonly owner?: string;
    }
  | {
      readonly type: 'AgentReplied';
      readonly at: number;
      readonly replyId: string;
      readonly inReplyTo: string;
      readonly content: string;
      readonly actions: readonly ReplyAction[];
      /** Absent where the agent left none, and in events of earlier versions. */
      readonly note?: AgentNote;
    }
  | { readonly type: 'TurnFailed'; readonly at: number; readonly messageId: string; readonly reason: string }
  | {
      readonly type: 'ConversationAmended';
      readonly at: number;
      readonly changes: ConversationChanges;
      /** The request that asked for it. */
      readonly commandId: string;
    }
  | { readonly type: 'ConversationHandedOff'; readonly at: number }
  | {
      readonly type: 'ConversationEnded';
      readonly at: number;
      readonly reason: EndReason;
      /** The reason, in the words of the client that ended the conversation. */
      readonly note?: string;
      /** An idle end carries the instant at which the idle time ran out, which precedes its detection. */
      readonly endedAt: number;
    };
