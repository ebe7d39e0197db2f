import { specFor } from '@testing/decider-spec';
import { conversationDecider, type ConversationCommand } from './conversation.decider.js';
import type { ConversationEvent } from './conversation.events.js';
import type { ReplyAction } from './reply-action.js';

const { given } = specFor(conversationDecider);

const T = 1_000_000;
const goodbye: ReplyAction = { type: 'end_conversation', id: 'act_1', createdAt: T, reason: 'resolved' };
const wait: ReplyAction = { type: 'handoff', id: 'act_2', createdAt: T, reason: 'asked', summary: null };

const opened: ConversationEvent = {
  type: 'ConversationOpened',
  at: T,
  conversationId: 'conv_1',
  projectId: 'prj_1',
  externalId: 'thread',
  customerId: null,
  metadata: '{}',
};
const message = { messageId: 'm1', content: 'hello', plainText: false, windowEndsAt: T + 30_000 };
const post = (at: number, ...actions: ReplyAction[]): ConversationCommand => {
  const reply = { replyId: 'r1', content: 'hi', actions };
  return { type: 'PostMessage', at, ...message, idleMs: 1_800_000, waits: true, reply };
};
const posted = (at: number): ConversationEvent => ({ type: 'MessagePosted', at, ...message });
const replied = (at: number, ...actions: ReplyAction[]): ConversationEvent => ({
  type: 'AgentReplied',
  at,
  replyId: 'r1',
  inReplyTo: 'm1',
  content: 'hi',
  actions,
});

describe('posting a message with the reply that the agent had at once', () => {
  test('records both', () =>
    given(opened)
      .when(post(T + 1))
      .then(posted(T + 1), replied(T + 1)));
  test('ends the conversation where the reply does', () =>
    given(opened)
      .when(post(T + 1, goodbye))
      .then(posted(T + 1), replied(T + 1, goodbye), { type: 'ConversationEnded', at: T + 1, reason: 'agent', endedAt: T + 1 }));
  test('hands the conversation over where the reply does', () =>
    given(opened)
      .when(post(T + 1, wait))
      .then(posted(T + 1), replied(T + 1, wait), { type: 'ConversationHandedOff', at: T + 1 }));
  test('records no reply for a message that was stored before', () =>
    given(opened, posted(T + 1))
      .when(post(T + 2))
      .thenNothing());
  test('records neither where the message is refused', () =>
    given(opened, { type: 'ConversationHandedOff', at: T + 1 })
      .when(post(T + 2))
      .thenRejects('conversation_handed_off'));
});
