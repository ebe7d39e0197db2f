import { ended, handedOff, IDLE, opened, post, posted, reopen, replied, reply, T } from '@testing/conversation-events';
import { specFor } from '@testing/decider-spec';
import type { ConversationCommand } from './conversation.commands.js';
import { conversationDecider } from './conversation.decider.js';
import type { ConversationEvent } from './conversation.events.js';
import { idleEnd } from './conversation.js';
import { fold } from '../kernel/decider.js';
import { lastMessages } from './newest-messages.js';

const { given } = specFor(conversationDecider);

const handOff: ConversationCommand = { type: 'HandOff', at: T + 9, reason: 'angry', summary: 'Wants a refund.' };
const resume = (at: number, note: string | null = null): ConversationCommand => ({ type: 'Resume', at, note });
const resumed = (at: number, note: string | null = null): ConversationEvent => ({ type: 'ConversationResumed', at, note });
const asKim: ConversationCommand = { type: 'ReplyAsHuman', at: T + 9, messageId: 'm9', content: 'I am Kim.', name: 'Kim' };
const kim: ConversationEvent = {
  type: 'HumanReplied',
  at: T + 9,
  messageId: 'm9',
  content: 'I am Kim.',
  author: { name: 'Kim' },
};
const kept = (messageId: string, at: number): ConversationEvent => ({ type: 'MessageKept', at, messageId, content: 'hello' });
const store = (messageId: string, at: number) => ({ ...post(messageId, at), whenHandedOff: 'store' }) as ConversationCommand;

describe('handing over', () => {
  test('is told by whom, why, and with what to know', () =>
    given(opened)
      .when(handOff)
      .thenState({
        status: 'handed_off',
        handedOffAt: T + 9,
        handoff: { by: 'client', reason: 'angry', summary: 'Wants a refund.', at: T + 9 },
      }));

  test('by the agent is told likewise', () =>
    given(opened, posted('m1', T + 1))
      .when(reply('m1', T + 2, 'handoff'))
      .thenState({ handoff: { by: 'agent', reason: 'asked', summary: null, at: T + 2 } }));

  test('of an earlier version was by the agent', () =>
    given(opened, handedOff).thenState({ handoff: { by: 'agent', reason: null, summary: null, at: T + 5 } }));

  test('a second time changes nothing', () => given(opened, handedOff).when(handOff).thenNothing());

  test('is refused once it has ended, and where it was never opened', () => {
    given(opened, ended).when(handOff).thenRejects('conversation_ended');
    given().when(handOff).thenRejects('resource_missing');
  });

  test('is still shown when it has ended', () =>
    given(opened, handedOff)
      .when({ type: 'EndConversation', at: T + 9, note: null })
      .thenState({ status: 'ended', handedOffAt: T + 5, handoff: { by: 'agent', reason: null, summary: null, at: T + 5 } }));
});

describe('while a human has the conversation', () => {
  test('a message is refused, or kept if the client says so', () => {
    given(opened, handedOff)
      .when(post('m1', T + 9))
      .thenRejects('conversation_handed_off');
    given(opened, handedOff)
      .when(store('m1', T + 9))
      .then(kept('m1', T + 9));
  });

  test('a kept message is stored once, and is the last of the conversation', () => {
    given(opened, handedOff, kept('m1', T + 9))
      .when(store('m1', T + 10))
      .thenNothing();
    given(opened, handedOff, kept('m1', T + 9)).thenState({ lastMessageAt: T + 9 });
  });

  test('a message whose turn failed before is kept when it is sent again, if the client says so', () => {
    const failed: ConversationEvent = { type: 'TurnFailed', at: T + 2, messageId: 'm1', reason: 'timeout' };
    given(opened, posted('m1', T + 1), failed, handedOff)
      .when(reopen('m1', T + 9, T + 99, 0, 'store'))
      .then({ type: 'ReplyWaived', at: T + 9, messageId: 'm1' });
  });

  test('a human writes', () => given(opened, handedOff).when(asKim).then(kim));

  test('what a human writes is stored once', () => given(opened, handedOff, kim).when(asKim).thenNothing());

  test('and at no other time', () => {
    given(opened)
      .when(asKim)
      .thenRejects('conversation_not_handed_off', { extras: { conversation_id: 'conv_1' } });
    given(opened, handedOff, resumed(T + 8))
      .when(asKim)
      .thenRejects('conversation_not_handed_off');
    given(opened, handedOff, ended).when(asKim).thenRejects('conversation_ended');
  });
});

describe('giving back', () => {
  const late = (...actions: ('handoff' | 'end_conversation')[]) => reply('m1', T + 20, ...actions);

  test('makes the agent answer again', () =>
    given(opened, handedOff)
      .when(resume(T + 9, 'He has his refund.'), post('m1', T + 10))
      .thenState({
        status: 'active',
        handedOffAt: null,
        handoff: null,
        handback: { handedOffAt: T + 5, resumedAt: T + 9, note: 'He has his refund.' },
      }));

  test('changes nothing where the agent has it', () =>
    given(opened)
      .when(resume(T + 9))
      .thenNothing());

  test('is refused once it has ended', () =>
    given(opened, handedOff, ended)
      .when(resume(T + 9))
      .thenRejects('conversation_ended'));

  test('begins the idle time anew', () => {
    const back = fold(conversationDecider, [
      opened,
      posted('m1', T + 1),
      replied('m1', T + 2),
      handedOff,
      resumed(T + 99 * IDLE),
    ]);
    expect(idleEnd(back, IDLE)).toBe(T + 100 * IDLE);
  });

  test('asks for no late replies to kept messages', () =>
    given(opened, handedOff, kept('m1', T + 6), resumed(T + 9))
      .when(reopen('m1', T + 20, T + 99, T + 20))
      .thenNothing());

  test('a late reply of a turn from before is stored, and neither hands off nor ends', () => {
    for (const action of ['handoff', 'end_conversation'] as const)
      given(opened, posted('m1', T + 1), handedOff, resumed(T + 9))
        .when(late(action))
        .then(replied('m1', T + 20));
  });

  test('the agent sees what was said meanwhile, and by whom', () => {
    const { newest } = fold(conversationDecider, [
      opened,
      handedOff,
      kept('m1', T + 6),
      kim,
      resumed(T + 10),
      posted('m2', T + 11),
    ]);
    expect(lastMessages(newest, 9)?.map(({ id, human }) => [id, human])).toEqual([
      ['m1', undefined],
      ['m9', 'Kim'],
      ['m2', undefined],
    ]);
  });
});
