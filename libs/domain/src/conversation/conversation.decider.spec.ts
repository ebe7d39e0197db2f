import { ended, handedOff, IDLE, opened, post, posted, reopen, reopened, replied, reply, T } from '@testing/conversation-events';
import { specFor } from '@testing/decider-spec';
import type { ConversationCommand } from './conversation.commands.js';
import { IdleEndDue, TurnInProgress, conversationDecider } from './conversation.decider.js';
import type { ConversationEvent } from './conversation.events.js';
import { asOf, idleEnd, ownersOf, UNOPENED } from './conversation.js';
import { fold } from '../kernel/decider.js';

const { given } = specFor(conversationDecider);

describe('posting a message', () => {
  test('with nobody left to wait it is recorded behind an open turn', () =>
    given(opened, posted('m1', T + 1))
      .when({ ...post('m2', T + 2), waits: false } as ConversationCommand)
      .then(posted('m2', T + 2)));

  test('an active conversation records what is posted', () =>
    given(opened)
      .when(post('m1', T + 1))
      .then(posted('m1', T + 1)));
  test('the same message is stored once', () =>
    given(opened, posted('m1', T + 1))
      .when(post('m1', T + 2))
      .thenNothing());
  test('a handed-off conversation takes no messages', () =>
    given(opened, handedOff)
      .when(post('m1', T + 6))
      .thenRejects('conversation_handed_off', { extras: { conversation_id: 'conv_1' } }));
  test('an ended conversation takes no messages', () =>
    given(opened, ended)
      .when(post('m1', T + 6))
      .thenRejects('conversation_ended'));
  test('a conversation that was never opened is missing', () => given().when(post('m1', T)).thenRejects('resource_missing'));
  test('a message never looks older than what came before it', () =>
    given(opened, posted('m1', T + 9), replied('m1', T + 10))
      .when(post('m2', T - 500))
      .then(posted('m2', T + 10, T - 500 + 30_000)));
});

describe('turns', () => {
  const state = (...events: ConversationEvent[]) => fold(conversationDecider, [opened, ...events]);

  test('a message waits for the turn before it', () => {
    const busy = state(posted('m1', T + 1));
    expect(() => conversationDecider.decide(post('m2', T + 2), busy)).toThrow(new TurnInProgress(T + 30_001));
  });
  test('a message waits for a turn that is asked again once the clock was set back', () => {
    const again = reopened('m1', T + 3_600_000, T + 30_000);
    const busy = state(posted('m1', T + 3_600_000), again);
    expect(() => conversationDecider.decide(post('m2', T + 1), busy)).toThrow(new TurnInProgress(T + 30_000));
  });
  test('a message waits no longer than the window of the turn before it', () =>
    given(opened, posted('m1', T + 1))
      .when(post('m2', T + 30_001))
      .then(posted('m2', T + 30_001)));
  test('a message has one reply', () =>
    given(opened, posted('m1', T + 1), replied('m1', T + 2))
      .when(reply('m1', T + 3))
      .thenNothing());
  test('a late reply is stored after the end, and changes no status', () =>
    given(opened, posted('m1', T + 1), ended)
      .when(reply('m1', T + 9, 'handoff'))
      .then({
        type: 'AgentReplied',
        at: T + 9,
        replyId: 'reply to m1',
        inReplyTo: 'm1',
        content: 'hi',
        actions: [{ type: 'handoff', id: 'act_1', createdAt: T + 9, reason: 'asked', summary: null }],
      }));
  test('a failed turn is asked again', () => {
    const failed: ConversationEvent = { type: 'TurnFailed', at: T + 2, messageId: 'm1', reason: 'timeout' };
    given(opened, posted('m1', T + 1), failed)
      .when(reopen('m1', T + 3, T + 4, 0))
      .then(reopened('m1', T + 3, T + 4));
  });
  test('a failed turn is not asked again by whoever wants only those that somebody left open', () => {
    const failed: ConversationEvent = { type: 'TurnFailed', at: T + 2, messageId: 'm1', reason: 'timeout' };
    const reopenLeft = { ...reopen('m1', T + 3, T + 4, T + 3), failedToo: false };
    given(opened, posted('m1', T + 1), failed)
      .when(reopenLeft)
      .thenNothing();
    given(opened, posted('m1', T + 1))
      .when(reopenLeft)
      .then(reopened('m1', T + 3, T + 4));
  });
  test('a turn that has its reply is not asked again', () =>
    given(opened, posted('m1', T + 1), replied('m1', T + 2))
      .when(reopen('m1', T + 3, T + 4, T + 3))
      .thenNothing());
  test('a failed turn that is asked again waits for the turn that is open by then', () => {
    const failed: ConversationEvent = { type: 'TurnFailed', at: T + 2, messageId: 'm1', reason: 'timeout' };
    const busy = state(posted('m1', T + 1), failed, posted('m2', T + 3));
    expect(() => conversationDecider.decide(reopen('m1', T + 4, T + 99, 0), busy)).toThrow(new TurnInProgress(T + 30_003));
  });
  test('a reply that comes after its turn was given up is stored all the same', () => {
    const failed: ConversationEvent = { type: 'TurnFailed', at: T + 2, messageId: 'm1', reason: 'timeout' };
    given(opened, posted('m1', T + 1), failed)
      .when(reply('m1', T + 3))
      .then(replied('m1', T + 3));
  });
  test('closed turns are forgotten beyond eight', () => {
    const many = Array.from({ length: 40 }, (_, n) => [posted(`n${n}`, T + n), replied(`n${n}`, T + n)]).flat();
    expect(state(...many).turns.map(({ messageId }) => messageId)).toEqual(Array.from({ length: 8 }, (_, n) => `n${n + 32}`));
  });
  test.each([
    ['conversation_handed_off', handedOff],
    ['conversation_ended', ended],
  ] as const)('a failed turn is not asked again after %s', (code, end) => {
    const failed: ConversationEvent = { type: 'TurnFailed', at: T + 2, messageId: 'm1', reason: 'timeout' };
    given(opened, posted('m1', T + 1), failed, end)
      .when(reopen('m1', T + 9, T + 99, 0))
      .thenRejects(code, { extras: { conversation_id: 'conv_1' } });
  });
  test('a turn that somebody left open is asked again though the conversation is closed', () =>
    given(opened, posted('m1', T + 1), ended)
      .when(reopen('m1', T + 9, T + 99, T + 2))
      .then(reopened('m1', T + 9, T + 99)));
  test.each([
    ['a human has the conversation', [handedOff]],
    ['a human had it in the end', [handedOff, ended]],
    ['the agent has ended it', [{ ...ended, reason: 'agent' } as const]],
  ])('a turn that somebody left open fails when %s', (_, end) =>
    given(opened, posted('m1', T + 1), ...end)
      .when(reopen('m1', T + 9, T + 99, T + 2))
      .then({ type: 'TurnFailed', at: T + 9, messageId: 'm1', reason: 'conversation_closed' }),
  );
  describe('of two turns that somebody left open', () => {
    const reopenLeft = (messageId: string, at: number) => reopen(messageId, at, at + 30_000, T + 5);
    const both = [opened, posted('m1', T + 1), posted('m2', T + 2)];
    const again = reopened('m1', T + 9, T + 30_009);

    test('the first is asked again, whatever is behind it', () =>
      given(...both)
        .when(reopenLeft('m1', T + 9))
        .then(again));
    test.each([
      ['is left', [], T + 30_001],
      ['was asked again', [again], T + 30_009],
    ])('the second waits while the first %s and its window lasts', (_, then, until) => {
      const seen = state(...both, ...then);
      expect(() => conversationDecider.decide(reopenLeft('m2', until - 1), seen)).toThrow(new TurnInProgress(until));
      given(...both, ...then)
        .when(reopenLeft('m2', until))
        .then(reopened('m2', until, until + 30_000));
    });
    test('the first waits for what is under way, though it stands behind it', () => {
      const underWay = new Set(['m2']);
      const command = { ...reopenLeft('m1', T + 9), underWay };
      expect(() => conversationDecider.decide(command, state(...both))).toThrow(new TurnInProgress(T + 30_002));
    });
    test('the first stays in front of the second', () =>
      expect(state(...both, again).turns.map(({ messageId }) => messageId)).toEqual(['m1', 'm2']));
  });
  test('an open turn is asked again only when whoever opened it is gone', () => {
    const { owner, ...unowned } = posted('m1', T + 1) as Extract<ConversationEvent, { type: 'MessagePosted' }>;
    expect(owner).toBe('here');
    const command = (openedBefore: number, gone: string) => ({
      ...reopen('m1', T + 9, T + 99, openedBefore),
      gone: new Set([gone]),
    });
    for (const [turn, openedBefore, gone] of [
      [posted('m1', T + 1), T + 1, 'there'],
      [unowned, T + 1, 'here'],
    ] as const)
      given(opened, turn).when(command(openedBefore, gone)).thenNothing();
    for (const [turn, openedBefore, gone] of [
      [posted('m1', T + 1), T + 1, 'here'],
      [posted('m1', T + 1), T + 2, 'there'],
      [unowned, T + 2, 'there'],
    ] as const)
      given(opened, turn)
        .when(command(openedBefore, gone))
        .then(reopened('m1', T + 9, T + 99));
  });
  test('a turn that is asked again is that of the process that asks', () =>
    expect(
      ownersOf(state({ ...posted('m1', T + 1), owner: 'there' } as ConversationEvent, reopened('m1', T + 9, T + 99)).turns),
    ).toEqual(['here']));
  test('a turn that has its reply cannot fail', () =>
    given(opened, posted('m1', T + 1), replied('m1', T + 2))
      .when({ type: 'FailTurn', at: T + 3, messageId: 'm1', reason: 'timeout' })
      .thenNothing());
  test('a failed turn is asked again however many follow it', () => {
    const failed: ConversationEvent = { type: 'TurnFailed', at: T + 2, messageId: 'm1', reason: 'timeout' };
    const later = Array.from({ length: 40 }, (_, n) => [posted(`n${n}`, T + 3), replied(`n${n}`, T + 3)]).flat();
    given(opened, posted('m1', T + 1), failed, ...later)
      .when(reopen('m1', T + 4, T + 99, 0))
      .then(reopened('m1', T + 4, T + 99));
  });
  test('an open turn is remembered however many follow it', () => {
    const later = Array.from({ length: 40 }, (_, n) => [
      posted(`n${n}`, T + 40_000 + n),
      replied(`n${n}`, T + 40_000 + n),
    ]).flat();
    given(opened, posted('m1', T + 1), ...later)
      .when(reply('m1', T + 50_000))
      .then(replied('m1', T + 50_000));
  });
});

describe('reply and change of status are one append', () => {
  test('a reply that hands off', () =>
    given(opened, posted('m1', T + 1))
      .when(reply('m1', T + 2, 'handoff'))
      .thenState({ status: 'handed_off', handedOffAt: T + 2 }));
  test('a reply that ends, even if it hands off too', () =>
    given(opened, posted('m1', T + 1))
      .when(reply('m1', T + 2, 'handoff', 'end_conversation'))
      .thenState({ status: 'ended', endReason: 'agent' }));
});

describe('ending', () => {
  test('a handed-off conversation ends explicitly', () =>
    given(opened, handedOff)
      .when({ type: 'EndConversation', at: T + 9, note: null })
      .thenState({ status: 'ended', endReason: 'explicit', endedAt: T + 9 }));
  test('an explicit end keeps why', () =>
    given(opened)
      .when({ type: 'EndConversation', at: T + 9, note: 'solved on the phone' })
      .then({ type: 'ConversationEnded', at: T + 9, reason: 'explicit', endedAt: T + 9, note: 'solved on the phone' }));
  test('ending twice changes nothing', () =>
    given(opened, ended)
      .when({ type: 'EndConversation', at: T + 9, note: null })
      .thenNothing());
  test('thirty idle minutes end it at the boundary, not a millisecond before', () => {
    const endIdle = (at: number): ConversationCommand => ({ type: 'EndIdleConversation', at, idleMs: IDLE });
    const quiet = [opened, posted('m1', T + 1), replied('m1', T + 2)] as const;
    given(...quiet)
      .when(endIdle(T + 1 + IDLE))
      .thenNothing();
    given(...quiet)
      .when(endIdle(T + 2 + IDLE))
      .then({ type: 'ConversationEnded', at: T + 2 + IDLE, reason: 'idle', endedAt: T + 2 + IDLE });
    given(...quiet)
      .when(endIdle(T + 9 + IDLE))
      .thenState({ endedAt: T + 2 + IDLE });
  });
  test('idling begins with the last message, though its turn was asked again since', () => {
    const failed = (at: number): ConversationEvent => ({ type: 'TurnFailed', at, messageId: 'm1', reason: 'timeout' });
    const again = reopened('m1', T + 9, T + 99);
    const quiet = fold(conversationDecider, [opened, posted('m1', T + 1), failed(T + 8), again, failed(T + 10)]);
    expect(idleEnd(quiet, IDLE)).toBe(T + 1 + IDLE);
  });
  test('a handed-off conversation never idles out', () =>
    given(opened, handedOff)
      .when({ type: 'EndIdleConversation', at: T + 99 * IDLE, idleMs: IDLE })
      .thenNothing());
  test('an open turn holds off idling', () =>
    given(opened, posted('m1', T + 1))
      .when({ type: 'EndIdleConversation', at: T + 99 * IDLE, idleMs: IDLE })
      .thenNothing());
  test('a post finds an idle end that nobody has stored', () => {
    const quiet = fold(conversationDecider, [opened]);
    expect(() => conversationDecider.decide(post('m1', T + IDLE), quiet)).toThrow(IdleEndDue);
    expect(asOf(quiet, T + IDLE, IDLE)).toMatchObject({ status: 'ended', endedAt: T + IDLE, endReason: 'idle' });
    expect(asOf(quiet, T + IDLE - 1, IDLE)).toBe(quiet);
    expect(idleEnd(UNOPENED, IDLE)).toBeNull();
  });
});

describe('a conversation that is changed', () => {
  const amend = (changes: object, at = T + 9) => ({ type: 'AmendConversation', at, changes, commandId: 'patch' }) as const;
  const amended = (changes: object): ConversationEvent => ({
    type: 'ConversationAmended',
    at: T + 9,
    changes,
    commandId: 'patch',
  });
  const linked = amended({ customerId: 'cust_1' });

  it('has its customer, metadata and zone from then on', () =>
    given(opened)
      .when(amend({ customerId: 'cust_1', metadata: '{}', timeZone: 'Europe/Berlin' }))
      .thenState({ customerId: 'cust_1', metadata: '{}', timeZone: 'Europe/Berlin', status: 'active' }));

  it('changes nothing where it is so already', () => {
    given(opened)
      .when(amend({ metadata: '{"b":1,"a":2}', timeZone: null }))
      .then();
    given(opened, linked)
      .when(amend({ customerId: 'cust_1' }))
      .then();
  });

  it('keeps its customer', () =>
    given(opened, linked)
      .when(amend({ customerId: 'cust_2', timeZone: 'UTC' }))
      .thenRejects('customer_already_linked', { param: 'customer', extras: { existing_id: 'cust_1' } }));

  it('may be changed while a human has it, and not once it has ended', () => {
    given(opened, handedOff)
      .when(amend({ timeZone: 'UTC' }))
      .then(amended({ timeZone: 'UTC' }));
    given(opened, ended)
      .when(amend({ timeZone: 'UTC' }))
      .thenRejects('conversation_ended', { extras: { conversation_id: 'conv_1' } });
  });
});
