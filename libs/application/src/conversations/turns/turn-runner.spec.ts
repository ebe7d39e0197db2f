import type { Conversation } from '@domain/conversation/conversation';
import { conversationDecider } from '@domain/conversation/conversation.decider';
import type { ReplyAction } from '@domain/conversation/reply-action';
import { AgentFailed } from '@ports/agent.port';
import { ENVELOPE } from '@testing/envelopes';
import { ConversationWorld, inThread, PROJECT } from '@testing/conversation-world';
import { saying } from '@testing/scripted-turns';
import { conversationStream, newestFirst } from '../state/conversation-stream.js';
import { NO_REQUEST } from '../../runtime/request-context.js';
import { idFor } from '../../runtime/request-context.js';
import { AgentReplies } from './agent-replies.js';
import type { TurnToolbox } from '../tools/toolboxes.js';
import type { TurnContext } from './turn-context.js';
import { TurnRunner } from './turn-runner.js';

const FIVE_MINUTES = 300_000;
const ALL_OF_A_PROJECT = 16 * 1024 * 1024;

let world: ConversationWorld;
beforeEach(async () => {
  world = await ConversationWorld.create();
});
afterEach(() => world.close());

async function newestEvent() {
  const conversationId = world.threads.known(PROJECT, 'thread')!;
  const { value } = await newestFirst(world.ports.events, conversationId).next();
  return value?.event;
}

describe('a turn', () => {
  const underWay = (messageId: string) => world.turns.isUnderWay(messageId);

  it('is under way until its outcome is stored, and no longer', async () => {
    const context = world.context('key');
    const messageId = idFor(world.ids, context, 'message', 'message');
    const sent = world.post('hi', inThread('thread'), context);
    await world.askedTimes(1);
    expect(underWay(messageId)).toBe(true);
    world.agent.asked[0]!.answer(saying('hello'));
    await sent;
    expect(underWay(messageId)).toBe(false);
  });

  it('is not under way for a message that was refused', async () => {
    world.agent.byDefault = () => saying('bye', { type: 'handoff', reason: 'asked', summary: null });
    await world.post('hi');
    const context = world.context('key');
    await expect(world.post('again', inThread('thread'), context)).rejects.toMatchObject({ code: 'conversation_handed_off' });
    expect(underWay(idFor(world.ids, context, 'message', 'message'))).toBe(false);
  });
});

describe('an agent', () => {
  it('is given up after five minutes, and no sooner, however short the window', async () => {
    let givenUp = false;
    world.agent.reply = (_turn, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          givenUp = true;
          reject(new AgentFailed('timeout', 'The turn was given up.'));
        });
      });
    const sent = world.post('hi').catch((error: unknown) => error);
    await world.clock.advance(FIVE_MINUTES - 1);
    expect(await sent).toMatchObject({ code: 'reply_timeout' });
    expect([givenUp, (await newestEvent())?.type]).toEqual([false, 'MessagePosted']);
    await world.clock.advance(1);
    await world.ports.events.changed(conversationStream(world.threads.known(PROJECT, 'thread')!), 1);
    expect([givenUp, await newestEvent()]).toMatchObject([true, { type: 'TurnFailed', reason: 'timeout' }]);
  });

  it('that has no room for the transcript in five minutes is given up unasked, and waits no more', async () => {
    const others = new AbortController();
    void world.transcripts.enter(PROJECT, ALL_OF_A_PROJECT, others.signal);
    let asked = 0;
    world.agent.reply = async (turn) => (await turn.transcript(), (asked += 1), saying('hello'));
    const sent = world.post('hi').catch((error: unknown) => error);
    await world.clock.advance(FIVE_MINUTES - 1);
    expect([await sent, await newestEvent()]).toMatchObject([{ code: 'reply_timeout' }, { type: 'MessagePosted' }]);
    await world.clock.advance(1);
    await world.ports.events.changed(conversationStream(world.threads.known(PROJECT, 'thread')!), 1);
    expect(await newestEvent()).toMatchObject({ type: 'TurnFailed', reason: 'timeout' });
    others.abort();
    expect(world.transcripts.enter(PROJECT, ALL_OF_A_PROJECT, new AbortController().signal)).toBe(true);
    expect(asked).toBe(0);
  });

  it('that has answered is given up no more', async () => {
    const signals: AbortSignal[] = [];
    world.agent.reply = (_turn, signal) => (signals.push(signal), Promise.resolve(saying('hello')));
    await world.post('hi');
    await world.clock.advance(FIVE_MINUTES);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });

  it('whose reply comes after that of another process is not heard', async () => {
    const sent = world.post('hi');
    await world.askedTimes(1);
    const posted = await newestEvent();
    const inReplyTo = posted?.type === 'MessagePosted' ? posted.messageId : '';
    const theirs = { replyId: world.ids.next('message'), inReplyTo, content: 'theirs', actions: [], at: world.clock.now() };
    const stream = conversationStream(world.threads.known(PROJECT, 'thread')!);
    await world.streams.run(stream, conversationDecider, { type: 'RecordReply', ...theirs }, ENVELOPE);
    world.agent.asked[0]!.answer(saying('ours'));
    expect((await sent).reply).toMatchObject({ id: theirs.replyId, content: 'theirs' });
  });

  it('is told to have acted in the order of its deeds: with its tools first, then on the conversation', async () => {
    world.agent.byDefault = () => saying('hello');
    const { conversation, message } = await world.post('hi');
    const booked = { type: 'appointment', operation: 'created', appointmentId: 'apt_1' } as const;
    const handedOff = { type: 'handoff', reason: 'asked', summary: null } as const;
    const recorded: ReplyAction['type'][][] = [];
    const streams = {
      run: (_stream: string, _decider: unknown, { actions }: { actions: readonly ReplyAction[] }) => {
        recorded.push(actions.map(({ type }) => type));
        return Promise.resolve({ state: conversation, events: [{ type: 'AgentReplied', at: 1 }] });
      },
    };
    const context = {
      customerOf: () => Promise.resolve(null),
      zoneOf: () => Promise.resolve('UTC'),
      handoffReplyOf: () => Promise.resolve(null),
      build: () => Promise.resolve({}),
    };
    const toolbox = {
      tools: [],
      effects: [booked],
      isInDoubt: false,
      recall: () => Promise.resolve(),
      call: () => Promise.reject(new Error('not asked for')),
    };
    const { clock, ids } = world;
    const replies = new AgentReplies(
      { name: 'patient', reply: () => Promise.resolve(saying('Done.', handedOff)) },
      context as unknown as TurnContext,
      { open: () => toolbox as TurnToolbox },
      { strip: (text) => Promise.resolve(text) },
      clock,
    );
    const runner = new TurnRunner(replies, world.live, streams as never, world.ports.events, clock, ids);
    await runner.ask(conversation as Conversation, {
      messageId: message.id,
      revision: 1,
      content: 'hi',
      plainText: false,
      request: NO_REQUEST,
      windowEndsAt: 0,
      isRetry: false,
      run: null,
    });
    expect(recorded).toEqual([['appointment', 'handoff']]);
  });
});

describe('a turn that is open for long', () => {
  it('holds nothing of the turns before it', async () => {
    world.agent.byDefault = () => saying('hello');
    const { conversation, message } = await world.post('hi');
    const given: object[] = [];
    const replyTo = (of: object) => given.push(of) && new Promise(() => undefined);
    const runner = new TurnRunner({ replyTo } as never, world.live, world.streams, world.ports.events, world.clock, world.ids);
    const about = { messageId: message.id, revision: 1, content: 'hi', plainText: false };
    const again = { ...about, windowEndsAt: 0, request: NO_REQUEST, isRetry: true, run: null };
    void runner.ask(conversation as Conversation, again);
    const { id, projectId, customerId, metadata, timeZone, handback } = conversation;
    expect(given).toEqual([{ id, projectId, customerId, metadata, timeZone, handback }]);
  });
});

describe('an agent that says nothing', () => {
  it.each(['', ' \n'])('has words for what it did (%j)', async (content) => {
    world.agent.byDefault = () => saying(content, { type: 'handoff', reason: 'asked', summary: null });
    expect(await world.post('hi')).toMatchObject({ reply: { content: expect.stringMatching(/person/) } });
  });

  it.each(['', ' \n'])('and did nothing has failed (%j)', async (content) => {
    world.agent.byDefault = () => saying(content);
    await expect(world.post('hi')).rejects.toBeInstanceOf(Error);
    expect(await newestEvent()).toMatchObject({ type: 'TurnFailed', reason: 'malformed_reply' });
  });
});
