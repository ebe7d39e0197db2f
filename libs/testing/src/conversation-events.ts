import type { ConversationCommand } from '@domain/conversation/conversation.commands';
import type { ConversationEvent } from '@domain/conversation/conversation.events';

/** When the conversation was opened. */
export const T = 1_000_000;
export const IDLE = 30 * 60_000;
export const opened: ConversationEvent = {
  type: 'ConversationOpened',
  at: T,
  conversationId: 'conv_1',
  projectId: 'prj_1',
  externalId: 'thread',
  customerId: null,
  metadata: '{"b":1,"a":2}',
};
export const posted = (messageId: string, at: number, windowEndsAt = at + 30_000): ConversationEvent => ({
  type: 'MessagePosted',
  at,
  messageId,
  content: 'hello',
  plainText: false,
  windowEndsAt,
  owner: 'here',
});
export const reopened = (messageId: string, at: number, windowEndsAt: number): ConversationEvent => ({
  type: 'TurnReopened',
  at,
  messageId,
  windowEndsAt,
  owner: 'here',
});
export const replied = (inReplyTo: string, at: number): ConversationEvent => ({
  type: 'AgentReplied',
  at,
  replyId: `reply to ${inReplyTo}`,
  inReplyTo,
  content: 'hi',
  actions: [],
});
export const post = (messageId: string, at: number): ConversationCommand => ({
  type: 'PostMessage',
  at,
  messageId,
  content: 'hello',
  plainText: false,
  windowEndsAt: at + 30_000,
  owner: 'here',
  idleMs: IDLE,
  waits: true,
  whenHandedOff: 'refuse',
});
export const reply = (inReplyTo: string, at: number, ...types: ('handoff' | 'end_conversation')[]): ConversationCommand => ({
  type: 'RecordReply',
  at,
  replyId: `reply to ${inReplyTo}`,
  inReplyTo,
  content: 'hi',
  actions: types.map((type) => ({ type, id: 'act_1', createdAt: at, reason: 'asked', summary: null })),
});
const nobody: ReadonlySet<string> = new Set();
export const reopen = (
  messageId: string,
  at: number,
  windowEndsAt: number,
  openedBefore: number,
  whenHandedOff: 'refuse' | 'store' = 'refuse',
) =>
  ({
    type: 'ReopenTurn',
    at,
    messageId,
    windowEndsAt,
    owner: 'here',
    failedToo: true,
    whenHandedOff,
    openedBefore,
    gone: nobody,
    underWay: nobody,
  }) as const;
export const queue = (messageId: string, at: number, whenHandedOff: 'refuse' | 'store' = 'refuse'): ConversationCommand => ({
  type: 'QueueMessage',
  at,
  messageId,
  content: 'hello',
  plainText: false,
  owner: 'here',
  idleMs: IDLE,
  whenHandedOff,
});
export const queued = (messageId: string, at: number, whenHandedOff: 'refuse' | 'store' = 'refuse'): ConversationEvent => ({
  type: 'MessageQueued',
  at,
  messageId,
  content: 'hello',
  plainText: false,
  whenHandedOff,
  owner: 'here',
});
export const openTurn = (messageId: string, at: number): ConversationCommand => ({
  type: 'OpenTurn',
  at,
  messageId,
  windowEndsAt: at + 30_000,
  owner: 'here',
});
export const handedOff: ConversationEvent = { type: 'ConversationHandedOff', at: T + 5 };
export const ended: ConversationEvent = { type: 'ConversationEnded', at: T + 5, reason: 'explicit', endedAt: T + 5 };
