import { ended, handedOff, opened, openTurn, posted, queue, queued, replied, reply, T } from '@testing/conversation-events';
import { specFor } from '@testing/decider-spec';
import { conversationDecider, MAX_QUEUED, TurnInProgress } from './conversation.decider.js';
import type { ConversationEvent } from './conversation.events.js';
import { fold } from '../kernel/decider.js';
import { lastMessages } from './newest-messages.js';

const { given } = specFor(conversationDecider);

const begun = (messageId: string, at: number): ConversationEvent => ({
  type: 'TurnOpened',
  at,
  messageId,
  windowEndsAt: at + 30_000,
  owner: 'here',
});
const elsewhere = (event: ConversationEvent) => ({ ...event, owner: 'there' }) as ConversationEvent;
const failed = (messageId: string, at: number, reason: string): ConversationEvent => ({
  type: 'TurnFailed',
  at,
  messageId,
  reason,
});
const state = (...events: ConversationEvent[]) => fold(conversationDecider, [opened, ...events]);

describe('a message that does not wait for its turn', () => {
  test('is queued behind an open turn', () =>
    given(opened, posted('m1', T + 1))
      .when(queue('m2', T + 2))
      .then(queued('m2', T + 2)));

  test('is stored once', () =>
    given(opened, posted('m1', T + 1), queued('m2', T + 2))
      .when(queue('m2', T + 3))
      .thenNothing());

  test(`is refused behind ${MAX_QUEUED} others`, () => {
    const others = Array.from({ length: MAX_QUEUED }, (_, n) => queued(`n${n}`, T + 2));
    given(opened, posted('m1', T + 1), ...others)
      .when(queue('m2', T + 3))
      .thenRejects('conversation_busy', { extras: { conversation_id: 'conv_1' } });
    given(opened, posted('m1', T + 1), ...others, replied('m1', T + 3), begun('n0', T + 4))
      .when(queue('m2', T + 5))
      .then(queued('m2', T + 5));
  });

  test.each([
    ['conversation_handed_off', handedOff],
    ['conversation_ended', ended],
  ] as const)('is refused with %s', (code, event) =>
    given(opened, event)
      .when(queue('m1', T + 9))
      .thenRejects(code),
  );

  test('is remembered as queued, however many turns follow it', () => {
    const later = Array.from({ length: 40 }, (_, n) => [posted(`n${n}`, T + 3), replied(`n${n}`, T + 3)]).flat();
    expect(state(queued('m1', T + 1), ...later).turns[0]).toMatchObject({ messageId: 'm1', state: 'queued' });
  });

  test('keeps the conversation from idling out', () =>
    given(opened, queued('m1', T + 1))
      .when({ type: 'EndIdleConversation', at: T + 9_000_000, idleMs: 1 })
      .thenNothing());
});

describe('the turn of a queued message', () => {
  test('waits for the turn before it, at most until the end of its window', () => {
    const busy = state(posted('m1', T + 1), queued('m2', T + 2));
    expect(() => conversationDecider.decide(openTurn('m2', T + 3), busy)).toThrow(new TurnInProgress(T + 30_001));
    given(opened, posted('m1', T + 1), queued('m2', T + 2))
      .when(openTurn('m2', T + 30_001))
      .then(begun('m2', T + 30_001));
  });

  test('waits for those that another process queued before it', () => {
    const busy = state(elsewhere(queued('m1', T + 1)), queued('m2', T + 2));
    expect(() => conversationDecider.decide(openTurn('m2', T + 3), busy)).toThrow(TurnInProgress);
  });

  test('begins once', () =>
    given(opened, queued('m1', T + 1), begun('m1', T + 2))
      .when(openTurn('m1', T + 3))
      .thenNothing());

  test('has its reply as any other', () =>
    given(opened, queued('m1', T + 1), begun('m1', T + 2))
      .when(reply('m1', T + 3))
      .then(replied('m1', T + 3)));

  test('is begun by another process if its own is gone', () =>
    given(opened, queued('m1', T + 1))
      .when({
        type: 'ReopenTurn',
        at: T + 9,
        messageId: 'm1',
        windowEndsAt: T + 99,
        owner: 'there',
        failedToo: false,
        whenHandedOff: 'refuse',
        openedBefore: 0,
        gone: new Set(['here']),
        underWay: new Set(),
      })
      .then({ type: 'TurnOpened', at: T + 9, messageId: 'm1', windowEndsAt: T + 99, owner: 'there' }));

  test('blocks the posts of other processes; its own process orders its messages itself', () => {
    const post = { type: 'PostMessage', at: T + 3, messageId: 'm2', content: 'hello', plainText: false } as const;
    const how = { windowEndsAt: T + 9, idleMs: 9_999, waits: true, whenHandedOff: 'refuse' } as const;
    const waiting = state(queued('m1', T + 1));
    expect(() => conversationDecider.decide({ ...post, ...how, owner: 'there' }, waiting)).toThrow(TurnInProgress);
    expect(conversationDecider.decide({ ...post, ...how, owner: 'here' }, waiting)).toHaveLength(1);
  });

  test('is given to the agent after what was said meanwhile', () => {
    const { newest } = state(posted('m1', T + 1), queued('m2', T + 2), replied('m1', T + 3), begun('m2', T + 4));
    expect(lastMessages(newest, 9, 'm2')?.map(({ id }) => id)).toEqual(['m1', 'reply to m1', 'm2']);
  });
});

describe('a queued message whose conversation is closed before its turn', () => {
  const waiting = [opened, posted('m1', T + 1), queued('m2', T + 2), queued('m3', T + 3, 'store')] as const;
  const handoff = { type: 'ConversationHandedOff', at: T + 9 } as const;
  const handoffAction = { type: 'handoff', id: 'act_1', createdAt: T + 9, reason: 'asked', summary: null };

  test('fails when the agent hands off, or is kept if it asked for that', () =>
    given(...waiting)
      .when(reply('m1', T + 9, 'handoff'))
      .then(
        { ...replied('m1', T + 9), actions: [handoffAction] } as ConversationEvent,
        { ...handoff, by: 'agent', reason: 'asked', summary: null },
        failed('m2', T + 9, 'conversation_handed_off'),
        { type: 'ReplyWaived', at: T + 9, messageId: 'm3' },
      ));

  test('fails when the client hands off, or is kept if it asked for that', () =>
    given(...waiting)
      .when({ type: 'HandOff', at: T + 9, reason: null, summary: 'angry' })
      .then({ ...handoff, by: 'client', reason: null, summary: 'angry' }, failed('m2', T + 9, 'conversation_handed_off'), {
        type: 'ReplyWaived',
        at: T + 9,
        messageId: 'm3',
      }));

  test('fails when it ends, whatever it asked for', () =>
    given(...waiting)
      .when({ type: 'EndConversation', at: T + 9, note: null })
      .then(
        { type: 'ConversationEnded', at: T + 9, reason: 'explicit', endedAt: T + 9 },
        failed('m2', T + 9, 'conversation_ended'),
        failed('m3', T + 9, 'conversation_ended'),
      ));

  test('is asked no more', () => {
    const closed = [...waiting, handoff, failed('m2', T + 9, 'conversation_handed_off')];
    const resumed: ConversationEvent = { type: 'ConversationResumed', at: T + 10, note: null };
    for (const after of [closed, [...closed, resumed]])
      given(...after)
        .when(openTurn('m2', T + 11))
        .thenNothing();
  });
});
