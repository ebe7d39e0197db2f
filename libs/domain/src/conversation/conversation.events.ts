import type { ReplyAction } from './reply-action.js';

export const END_REASONS = ['explicit', 'agent', 'idle'] as const;
export type EndReason = (typeof END_REASONS)[number];

/** Everything that can have happened in a conversation. All times are epoch milliseconds. */
export type ConversationEvent =
  | {
      readonly type: 'ConversationOpened';
      readonly at: number;
      readonly conversationId: string;
      readonly projectId: string;
      readonly externalId: string | null;
      readonly customerId: string | null;
      /** JSON text as sent. */
      readonly metadata: string;
    }
  | {
      readonly type: 'MessagePosted';
      readonly at: number;
      readonly messageId: string;
      readonly content: string;
      /** The reply is wanted without markup. */
      readonly plainText: boolean;
      /** Until then the turn keeps the next one waiting. */
      readonly windowEndsAt: number;
    }
  | { readonly type: 'TurnReopened'; readonly at: number; readonly messageId: string; readonly windowEndsAt: number }
  | {
      readonly type: 'AgentReplied';
      readonly at: number;
      readonly replyId: string;
      readonly inReplyTo: string;
      readonly content: string;
      readonly actions: readonly ReplyAction[];
    }
  | { readonly type: 'TurnFailed'; readonly at: number; readonly messageId: string; readonly reason: string }
  | { readonly type: 'ConversationHandedOff'; readonly at: number }
  | {
      readonly type: 'ConversationEnded';
      readonly at: number;
      readonly reason: EndReason;
      /** Why, in the words of the client who ended it. */
      readonly note?: string;
      /** For an idle end the instant idling was over, which lies before the end was noticed. */
      readonly endedAt: number;
    };
