import { ConversationWorld, inThread } from '@testing/conversation-world';
import { settle } from '@testing/fake-clock';
import { saying } from '@testing/scripted-turns';
import type { ConversationEvent } from '@domain/conversation/conversation.events';
import type { DomainError } from '@domain/kernel/domain-error';
import { idFor } from '../../runtime/request-context.js';
import { PostMessage } from '../conversation.commands.js';
import { conversationStream, findTurn } from '../state/conversation-stream.js';

let world: ConversationWorld;
beforeEach(async () => {
  world = await ConversationWorld.create();
});
afterEach(() => world.close());

const HALF_MINUTE = 30_000;
const AS_EVER = { windowMs: HALF_MINUTE, wait: 'reply', whenHandedOff: 'refuse' } as const;

describe('a first message', () => {
  it('makes the conversation and gets its reply', async () => {
    world.agent.byDefault = () => saying('welcome');
    const { message, reply, conversation } = await world.post('hello');
    expect(message).toMatchObject({ role: 'user', content: 'hello', conversationId: conversation.id });
    expect(reply).toMatchObject({ role: 'assistant', content: 'welcome', inReplyTo: message.id, actions: [] });
    expect(conversation).toMatchObject({ status: 'active', externalId: 'thread', lastMessageAt: reply.createdAt });
    expect(await world.typesOf(conversation.id)).toEqual(['ConversationOpened', 'MessagePosted', 'AgentReplied']);
  });

  it('makes one conversation however many come at once, and answers them one after another', async () => {
    world.agent.byDefault = (turn) => saying(`re: ${turn.content}`);
    const sent = await Promise.all(Array.from({ length: 12 }, (_, n) => world.post(`m${n}`)));
    const { id } = sent[0]!.conversation;
    expect(new Set(sent.map(({ conversation }) => conversation.id)).size).toBe(1);
    expect(sent.map(({ reply }) => reply.content)).toEqual(sent.map(({ message }) => `re: ${message.content}`));
    const types = await world.typesOf(id);
    expect(types.slice(1)).toEqual(Array.from({ length: 12 }, () => ['MessagePosted', 'AgentReplied']).flat());
  });

  describe('that asks for plain text', () => {
    const posted = () => world.send.execute(new PostMessage(world.context(), inThread('plain'), 'hi', true, AS_EVER));

    it('gets the reply without markup', async () => {
      world.agent.byDefault = () => saying('**welcome**');
      expect((await posted()).reply?.content).toBe('welcome');
    });

    it.each(['***', '** **'])('gets the words of the action when the reply is nothing but markup: %s', async (markup) => {
      world.agent.byDefault = () => saying(markup, { type: 'end_conversation', reason: 'resolved' });
      expect((await posted()).reply).toMatchObject({
        content: 'Thank you, and goodbye!',
        actions: [{ type: 'end_conversation' }],
      });
    });

    it('has the reply as it is when that is nothing but markup', async () => {
      world.agent.byDefault = () => saying('***');
      expect((await posted()).reply?.content).toBe('***');
    });
  });
});

describe('the window', () => {
  it('ends with ids, and the late reply is in the transcript and under the same key', async () => {
    const late = world.post('slow', inThread('thread'), world.context('key'));
    await world.askedTimes(1);
    void world.clock.advance(HALF_MINUTE);
    const refusal = await late.catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      code: 'reply_timeout',
      details: { extras: { conversation_id: expect.any(String), message_id: expect.any(String) }, retryAfter: 2 },
    });
    const { conversation_id: conversationId, message_id: messageId } = (
      refusal as { details: { extras: { conversation_id: string; message_id: string } } }
    ).details.extras;

    const again = world.post('slow', inThread('thread'), world.context('key', true));
    world.agent.asked[0]!.answer(saying('at last'));
    expect(await again).toMatchObject({ message: { id: messageId }, reply: { content: 'at last' } });
    expect(await findTurn(world.ports.events, conversationId, messageId)).toMatchObject({
      state: { is: 'replied', reply: { content: 'at last' } },
    });
    expect(world.agent.asked).toHaveLength(1);
    expect(await world.post('slow', inThread('thread'), world.context('key', true))).toMatchObject({
      message: { id: messageId },
      reply: { content: 'at last' },
    });
  });

  it('lets the next message go on without the late reply', async () => {
    const first = world.post('one').catch((error: unknown) => error);
    await world.askedTimes(1);
    await world.clock.advance(10_000);
    const second = world.post('two');
    await world.clock.advance(HALF_MINUTE - 10_001);
    expect(world.agent.asked).toHaveLength(1);
    await world.clock.advance(1);
    expect(await first).toMatchObject({ code: 'reply_timeout' });
    await world.askedTimes(2);
    world.agent.asked[1]!.answer(saying('second'));
    expect((await second).reply.content).toBe('second');
  });

  it("that ends while queued names the reserved ids; a hand-off before its turn becomes the key's answer", async () => {
    const first = world.post('one');
    await world.askedTimes(1);
    const context = world.context('queued');
    const queued = world.postBy({ windowMs: 5_000 }, 'two', inThread('thread'), context);
    const conversationId = world.threads.known(context.projectId, 'thread');
    void world.clock.advance(5_000);
    expect(await queued.catch((error: unknown) => error)).toMatchObject({
      code: 'reply_timeout',
      details: { extras: { conversation_id: conversationId, message_id: idFor(world.ids, context, 'message', 'message') } },
    });
    world.agent.asked[0]!.answer(saying('a human will help', { type: 'handoff', reason: 'asked', summary: null }));
    await world.endOf((await first).conversation.id);
    const again = world.post('two', inThread('thread'), world.context('queued', true));
    expect(await again.catch((error: unknown) => error)).toMatchObject({ code: 'conversation_handed_off' });
  });

  it('is not waited for by a queued message that a hand-off before its turn refuses: nothing of it is stored', async () => {
    const first = world.post('one');
    await world.askedTimes(1);
    await world.clock.advance(20_000);
    const queued = world.post('two');
    world.agent.asked[0]!.answer(saying('a human will help', { type: 'handoff', reason: 'asked', summary: null }));
    expect((await first).conversation.status).toBe('handed_off');
    expect(await queued.catch((error: unknown) => error)).toMatchObject({ code: 'conversation_handed_off' });
    expect(await world.typesOf((await first).conversation.id)).toEqual([
      'ConversationOpened',
      'MessagePosted',
      'AgentReplied',
      'ConversationHandedOff',
    ]);
  });
});

describe('the end of the process', () => {
  it('stores the messages whose turn has not come, in their order; their turns are left to the next start', async () => {
    const posts = [world.post('one')];
    await world.askedTimes(1);
    for (const text of ['two', 'three', 'four']) posts.push(world.post(text));
    const refusals = posts.map((post) => post.catch((error: unknown) => error as DomainError));
    await settle();
    world.shutdown.callLast();
    const told = (await Promise.all(refusals)) as DomainError[];
    expect(told.map(({ code }) => code)).toEqual(Array.from(posts, () => 'reply_timeout'));
    await world.replies.settled();
    const { conversation_id: id } = told[0]!.details.extras as { conversation_id: string };
    const records = await world.ports.events.read<ConversationEvent>(conversationStream(id));
    const stored = records.flatMap(({ event }) => (event.type === 'MessagePosted' ? [event] : []));
    expect(stored.map(({ content }) => content)).toEqual(['one', 'two', 'three', 'four']);
    expect(stored.map(({ messageId }) => messageId)).toEqual(told.map(({ details }) => details.extras?.['message_id']));
    expect(world.agent.asked).toHaveLength(1);
  });

  it('stores a message too that waits for a turn of another process', async () => {
    world.agent.byDefault = () => saying('hi');
    const { id } = (await world.post('one')).conversation;
    const stream = conversationStream(id);
    const last = (await world.ports.events.read(stream)).at(-1)!.revision;
    const at = world.clock.now();
    const elsewhere = { messageId: 'msg_elsewhere', content: 'x', plainText: false, windowEndsAt: at + 100_000 };
    const posted: ConversationEvent = { type: 'MessagePosted', at, ...elsewhere };
    await world.ports.events.append(stream, [{ id: 'elsewhere', event: posted }], last);
    const waiting = world.post('two').catch((error: unknown) => error);
    await settle();
    world.shutdown.callLast();
    expect(await waiting).toMatchObject({ code: 'reply_timeout' });
    await world.replies.settled();
    expect((await world.typesOf(id)).filter((type) => type === 'MessagePosted')).toHaveLength(3);
  });

  it('stores nothing of a message that is refused', async () => {
    const handsOff = saying('a human will help', { type: 'handoff', reason: 'asked', summary: null });
    const first = world.post('one');
    await world.askedTimes(1);
    world.agent.asked[0]!.answer(handsOff);
    const { id } = (await first).conversation;
    world.shutdown.callLast();
    expect(await world.post('two').catch((error: unknown) => error)).toMatchObject({ code: 'reply_timeout' });
    await world.replies.settled();
    expect((await world.typesOf(id)).filter((type) => type === 'MessagePosted')).toHaveLength(1);
  });
});

describe('threads', () => {
  it('start anew once their conversation has ended, and not while it is handed off', async () => {
    world.agent.byDefault = () => saying('hi');
    const first = (await world.post('one')).conversation;
    await world.endOf(first.id);
    const second = (await world.post('two')).conversation;
    expect(second.id).not.toBe(first.id);
    world.agent.byDefault = () => saying('human', { type: 'handoff', reason: 'asked', summary: null });
    await world.post('three');
    expect(await world.post('four').catch((error: unknown) => error)).toMatchObject({
      code: 'conversation_handed_off',
      details: { extras: { conversation_id: second.id } },
    });
  });

  it('are extended at 29:59.999 and start anew at 30:00', async () => {
    world.agent.byDefault = () => saying('hi');
    const first = (await world.post('one')).conversation;
    await world.clock.advance(30 * 60_000 - 1);
    expect((await world.post('two')).conversation.id).toBe(first.id);
    await world.clock.advance(30 * 60_000);
    expect(
      await world.post('by id', { kind: 'conversation', conversationId: first.id }).catch((error: unknown) => error),
    ).toMatchObject({ code: 'conversation_ended' });
    expect((await world.post('three')).conversation.id).not.toBe(first.id);
    expect((await world.typesOf(first.id)).filter((type) => type === 'ConversationEnded')).toHaveLength(1);
  });

  it('are no shortcut, once known, past a message that still looks for its conversation', async () => {
    world.agent.byDefault = (turn) => saying(`re: ${turn.content}`);
    const resolve = world.threads.resolve.bind(world.threads);
    let answers = 0;
    let goOn = () => {};
    const heldUp = new Promise<void>((done) => (goOn = done));
    world.threads.resolve = async (...request) => {
      if (++answers === 2) await heldUp;
      return resolve(...request);
    };
    const [first, second] = ['one', 'two'].map((content) => world.post(content));
    await first;
    const third = world.post('three');
    await settle();
    goOn();
    await Promise.all([second, third]);
    expect(world.agent.asked.map(({ turn }) => turn.content)).toEqual(['one', 'two', 'three']);
  });

  it('queued in a conversation that a client ends do not wait for its turn, and keep their order', async () => {
    const first = world.post('one');
    await world.askedTimes(1);
    const queued = ['two', 'three'].map((content) => world.post(content));
    const conversationId = world.threads.known(world.context().projectId, 'thread')!;
    world.agent.byDefault = (turn) => saying(`re: ${turn.content}`);
    await world.endOf(conversationId);
    const [second, third] = await Promise.all(queued);
    expect(second!.conversation.id).not.toBe(conversationId);
    expect(third!.conversation.id).toBe(second!.conversation.id);
    expect(world.agent.asked.map(({ turn }) => turn.content)).toEqual(['one', 'two', 'three']);
    world.agent.asked[0]!.answer(saying('late'));
    expect((await first).reply.content).toBe('late');
  });

  it('queued behind a message that ends the conversation: a new one by external id, refused by id', async () => {
    const ending = world.post('bye');
    await world.askedTimes(1);
    const byThread = world.post('one more');
    world.agent.asked[0]!.answer(saying('bye', { type: 'end_conversation', reason: 'resolved' }));
    const { conversation } = await ending;
    expect(conversation).toMatchObject({ status: 'ended', endReason: 'agent' });
    await world.askedTimes(2);
    world.agent.asked[1]!.answer(saying('hello again'));
    expect((await byThread).conversation.id).not.toBe(conversation.id);
    expect(
      await world.post('x', { kind: 'conversation', conversationId: conversation.id }).catch((error: unknown) => error),
    ).toMatchObject({ code: 'conversation_ended' });
  });
});
