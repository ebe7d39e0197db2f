import type { AgentNote } from './agent-note.js';
import type { ConversationChanges, WhenHandedOff } from './conversation.events.js';
import type { ReplyAction } from './reply-action.js';

export interface NewReply {
  readonly replyId: string;
  readonly content: string;
  readonly actions: readonly ReplyAction[];
  readonly note?: AgentNote;
  /** The run whose deltas were the content. */
  readonly run?: string;
}

export type ConversationCommand =
  | {
      readonly type: 'OpenConversation';
      readonly at: number;
      readonly conversationId: string;
      readonly projectId: string;
      readonly externalId: string | null;
      readonly customerId: string | null;
      readonly metadata: string;
      readonly timeZone: string | null;
    }
  | {
      readonly type: 'PostMessage';
      readonly at: number;
      readonly messageId: string;
      readonly content: string;
      readonly plainText: boolean;
      readonly windowEndsAt: number;
      readonly owner: string;
      readonly idleMs: number;
      /** Whether the post waits for the previous turn; false when no client waits. */
      readonly waits: boolean;
      readonly whenHandedOff: WhenHandedOff;
    }
  | {
      readonly type: 'QueueMessage';
      readonly at: number;
      readonly messageId: string;
      readonly content: string;
      readonly plainText: boolean;
      readonly owner: string;
      readonly idleMs: number;
      readonly whenHandedOff: WhenHandedOff;
    }
  /** Begins the turn of a queued message. */
  | {
      readonly type: 'OpenTurn';
      readonly at: number;
      readonly messageId: string;
      readonly windowEndsAt: number;
      readonly owner: string;
    }
  | {
      readonly type: 'ReopenTurn';
      readonly at: number;
      readonly messageId: string;
      readonly windowEndsAt: number;
      readonly owner: string;
      readonly failedToo: boolean;
      readonly whenHandedOff: WhenHandedOff;
      /** The process of a turn opened before this instant is dead. */
      readonly openedBefore: number;
      /** Processes without a lease: their open turns may be taken over, except those in `underWay`. */
      readonly gone: ReadonlySet<string>;
      readonly underWay: ReadonlySet<string>;
    }
  | ({ readonly type: 'RecordReply'; readonly at: number; readonly inReplyTo: string } & NewReply)
  | { readonly type: 'FailTurn'; readonly at: number; readonly messageId: string; readonly reason: string }
  | {
      readonly type: 'AmendConversation';
      readonly at: number;
      readonly changes: ConversationChanges;
      readonly commandId: string;
    }
  | { readonly type: 'HandOff'; readonly at: number; readonly reason: string | null; readonly summary: string | null }
  | { readonly type: 'Resume'; readonly at: number; readonly note: string | null }
  | {
      readonly type: 'ReplyAsHuman';
      readonly at: number;
      readonly messageId: string;
      readonly content: string;
      readonly name: string;
    }
  | { readonly type: 'EndConversation'; readonly at: number; readonly note: string | null }
  | { readonly type: 'EndIdleConversation'; readonly at: number; readonly idleMs: number };
