import type { AgentNote } from './agent-note.js';
import type { ReplyAction } from './reply-action.js';

export const END_REASONS = ['explicit', 'agent', 'idle'] as const;
export type EndReason = (typeof END_REASONS)[number];

export const HANDOFF_PARTIES = ['agent', 'client'] as const;
export type HandoffParty = (typeof HANDOFF_PARTIES)[number];

/** What a post asks for if a human has the conversation: a 409, or to be kept without a reply. */
export const WHEN_HANDED_OFF = ['refuse', 'store'] as const;
export type WhenHandedOff = (typeof WHEN_HANDED_OFF)[number];

/** Why a turn failed without the agent: the conversation was handed off or ended before it began. The error codes of the API. */
export type Closure = 'conversation_handed_off' | 'conversation_ended';

export function isClosure(reason: string): reason is Closure {
  return reason === 'conversation_handed_off' || reason === 'conversation_ended';
}

/** The customer is linked once. */
export interface ConversationChanges {
  readonly customerId?: string;
  readonly metadata?: string;
  /** IANA name; null for none. */
  readonly timeZone?: string | null;
}

/** Times are epoch milliseconds, metadata is the JSON text as sent. Optional members are also absent in earlier versions. */
export type ConversationEvent =
  | {
      readonly type: 'ConversationOpened';
      readonly at: number;
      readonly conversationId: string;
      readonly projectId: string;
      readonly externalId: string | null;
      readonly customerId: string | null;
      readonly metadata: string;
      /** IANA name. */
      readonly timeZone?: string;
    }
  | {
      readonly type: 'MessagePosted';
      readonly at: number;
      readonly messageId: string;
      readonly content: string;
      readonly plainText: boolean;
      readonly windowEndsAt: number;
      /** The process that asks for the reply. */
      readonly owner?: string;
    }
  /** Waits for the turn before it; `TurnOpened` begins its own. */
  | {
      readonly type: 'MessageQueued';
      readonly at: number;
      readonly messageId: string;
      readonly content: string;
      readonly plainText: boolean;
      readonly whenHandedOff: WhenHandedOff;
      readonly owner: string;
    }
  /** A customer's message while a human has the conversation: it gets no reply of the agent. */
  | { readonly type: 'MessageKept'; readonly at: number; readonly messageId: string; readonly content: string }
  /** A queued message that a human took over: it gets no reply of the agent. */
  | { readonly type: 'ReplyWaived'; readonly at: number; readonly messageId: string }
  | {
      readonly type: 'HumanReplied';
      readonly at: number;
      readonly messageId: string;
      readonly content: string;
      readonly author: { readonly name: string };
    }
  | {
      readonly type: 'TurnOpened';
      readonly at: number;
      readonly messageId: string;
      readonly windowEndsAt: number;
      readonly owner: string;
    }
  | {
      readonly type: 'TurnReopened';
      readonly at: number;
      readonly messageId: string;
      readonly windowEndsAt: number;
      readonly owner?: string;
    }
  | {
      readonly type: 'AgentReplied';
      readonly at: number;
      readonly replyId: string;
      readonly inReplyTo: string;
      readonly content: string;
      readonly actions: readonly ReplyAction[];
      readonly note?: AgentNote;
      /** The run whose deltas were this content; absent where no client could stream them. */
      readonly run?: string;
    }
  | { readonly type: 'TurnFailed'; readonly at: number; readonly messageId: string; readonly reason: string }
  | {
      readonly type: 'ConversationAmended';
      readonly at: number;
      readonly changes: ConversationChanges;
      readonly commandId: string;
    }
  | {
      readonly type: 'ConversationHandedOff';
      readonly at: number;
      /** Absent in earlier versions, where only the agent could. */
      readonly by?: HandoffParty;
      readonly reason?: string | null;
      readonly summary?: string | null;
    }
  | { readonly type: 'ConversationResumed'; readonly at: number; readonly note: string | null }
  | {
      readonly type: 'ConversationEnded';
      readonly at: number;
      readonly reason: EndReason;
      /** The reason given by the client that ended the conversation. */
      readonly note?: string;
      /** Of an idle end: when the idle time was over, which precedes its detection. */
      readonly endedAt: number;
    };
