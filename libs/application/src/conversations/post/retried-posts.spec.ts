import { AgentFailed } from '@ports/agent.port';
import { StoreUnavailable } from '@ports/event-store.port';
import { ConversationWorld, inThread, PROJECT } from '@testing/conversation-world';
import { saying } from '@testing/scripted-turns';
import { conversationStream } from '../state/conversation-stream.js';

let world: ConversationWorld;
beforeEach(async () => {
  world = await ConversationWorld.create();
});
afterEach(() => world.close());

describe('the agent failing', () => {
  it('leaves the message stored, and the same key asks again for it', async () => {
    world.agent.byDefault = () => new AgentFailed('http_error', 'status 500');
    const refusal = await world.post('hello', inThread('thread'), world.context('key')).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'agent_unavailable', details: { extras: { message_id: expect.any(String) } } });
    world.agent.byDefault = () => saying('back again');
    const { message, reply, conversation } = await world.post('hello', inThread('thread'), world.context('key', true));
    expect(reply.content).toBe('back again');
    expect(await world.typesOf(conversation.id)).toEqual([
      'ConversationOpened',
      'MessagePosted',
      'TurnFailed',
      'TurnReopened',
      'AgentReplied',
    ]);
    expect((refusal as { details: { extras: { message_id: string } } }).details.extras.message_id).toBe(message.id);
  });
});

describe('the refusal of a message that the agent could not answer', () => {
  it.each([
    ['with a key says to ask again with it', 'key', /stored; ask again with the same key\.$/],
    ['without a key says to read the transcript first', null, /stored; read the transcript before you post it again/],
  ])('%s', async (_, key, text) => {
    world.agent.byDefault = () => new AgentFailed('http_error', 'status 500');
    await expect(world.post('hello', inThread('thread'), world.context(key))).rejects.toThrow(text);
  });
});

describe('the log being away while the agent works', () => {
  async function postWhileAway() {
    const { events } = world.ports;
    const read = events.read.bind(events);
    world.agent.reply = async (turn) => {
      world.streams.cache.forget(conversationStream(world.threads.known(PROJECT, 'thread')!));
      events.read = () => Promise.reject(new StoreUnavailable('the log does not answer'));
      await turn.transcript();
      return saying('never said');
    };
    const post = world.post('hello', inThread('thread'), world.context('key'));
    const refusal: unknown = await post.catch((error: unknown) => error);
    events.read = read;
    world.agent.reply = async (turn) => saying(`${(await turn.transcript()).length} message`);
    return refusal;
  }

  it('is told as that, and the same key finishes the turn of the one message', async () => {
    expect(await postWhileAway()).toBeInstanceOf(StoreUnavailable);
    const { reply, conversation } = await world.post('hello', inThread('thread'), world.context('key', true));
    expect(reply.content).toBe('1 message');
    expect(await world.typesOf(conversation.id)).toEqual(['ConversationOpened', 'MessagePosted', 'TurnReopened', 'AgentReplied']);
  });
});

describe('the agent failing for a while', () => {
  it.each([
    [1_200, 2],
    [0, 1],
  ])('of %d ms is told in whole seconds: %d', async (retryAfterMs, retryAfter) => {
    world.agent.byDefault = () => new AgentFailed('http_error', 'status 429', retryAfterMs);
    await expect(world.post('hello')).rejects.toMatchObject({ code: 'agent_unavailable', details: { retryAfter } });
  });
});

describe('an agent', () => {
  it('is told until when the client waits for its reply', async () => {
    world.agent.byDefault = () => saying('hi');
    const at = world.clock.now();
    await world.post('hello');
    expect(world.agent.asked[0]?.turn.windowEndsAt).toBe(at + world.settings.replyWindowMs);
  });
});

describe('a message that many followed', () => {
  const sent = () => world.post('hello', inThread('thread'), world.context('key', true));
  const manyFollow = async () => {
    for (let turn = 0; turn < 40; turn++) await world.post(`turn ${turn}`);
  };

  it('is asked again when it failed', async () => {
    world.agent.byDefault = ({ content }) => (content === 'hello' ? new AgentFailed('http_error', '500') : saying('hi'));
    await sent().catch(() => {});
    await manyFollow();
    world.agent.byDefault = () => saying('back again');
    const { message, reply } = await sent();
    expect(reply.content).toBe('back again');
    expect(world.recalled).toEqual([message.id]);
  });

  it('keeps the reply it got', async () => {
    world.agent.byDefault = () => saying('hi');
    const { reply } = await sent();
    await manyFollow();
    const asked = world.agent.asked.length;
    expect((await sent()).reply).toEqual(reply);
    expect(world.agent.asked).toHaveLength(asked);
  });
});

describe('a conversation that is closed after the agent failed', () => {
  const again = () => world.post('hello', inThread('thread'), world.context('key', true)).catch((error: unknown) => error);
  const idOf = async () => {
    const refusal = await world.post('hello', inThread('thread'), world.context('key')).catch((error: unknown) => error);
    return (refusal as { details: { extras: { conversation_id: string } } }).details.extras.conversation_id;
  };

  it.each([
    ['handed off', 'conversation_handed_off', () => world.post('person!')],
    ['ended', 'conversation_ended', (id: string) => world.endOf(id)],
    ['idled out', 'conversation_ended', () => world.clock.advance(world.settings.conversationIdleMs)],
  ] as const)('by being %s refuses to ask again under the key', async (_how, code, close) => {
    world.agent.byDefault = () => new AgentFailed('http_error', 'status 500');
    const id = await idOf();
    world.agent.byDefault = () => saying('a human will help', { type: 'handoff', reason: 'asked', summary: null });
    await close(id);
    const asked = world.agent.asked.length;
    expect(await again()).toMatchObject({ code, details: { extras: { conversation_id: id } } });
    expect(world.agent.asked).toHaveLength(asked);
    expect(await world.typesOf(id)).not.toContain('TurnReopened');
  });

  it('by being handed off keeps the message for the human, if the client says so', async () => {
    world.agent.byDefault = () => new AgentFailed('http_error', 'status 500');
    const id = await idOf();
    world.agent.byDefault = () => saying('a human will help', { type: 'handoff', reason: 'asked', summary: null });
    await world.post('person!');
    const asked = world.agent.asked.length;
    const keeping = { whenHandedOff: 'store' } as const;
    const kept = await world.postBy(keeping, 'hello', inThread('thread'), world.context('key', true));
    expect(kept).toMatchObject({ message: { content: 'hello' }, reply: null, replyStatus: 'not_expected' });
    expect(world.agent.asked).toHaveLength(asked);
    expect((await world.typesOf(id)).at(-1)).toBe('ReplyWaived');
  });
});

describe('a process that dies with a turn open', () => {
  it('finds it again: the turn is asked once more and answered', async () => {
    world.post('hello', inThread('thread'), world.context('key')).catch(() => {});
    await world.askedTimes(1);
    world = await world.restarted();
    world.agent.byDefault = () => saying('after the restart');
    const { reply, conversation } = await world.post('hello', inThread('thread'), world.context('key', true));
    expect(reply.content).toBe('after the restart');
    expect(await world.typesOf(conversation.id)).toEqual(['ConversationOpened', 'MessagePosted', 'TurnReopened', 'AgentReplied']);
  });
});

describe('a message to a conversation named by its id', () => {
  it('whose answer died with its process gets it, though many followed, with the conversation as it is by then', async () => {
    world.agent.byDefault = () => saying('hi');
    const { conversation } = await world.post('hello');
    const target = { kind: 'conversation', conversationId: conversation.id } as const;
    const first = await world.post('again', target, world.context('key'));
    for (let turn = 0; turn < 40; turn++) await world.post(`turn ${turn}`);
    const ended = await world.endOf(conversation.id);
    world = await world.restarted();
    const again = await world.post('again', target, world.context('key', true));
    expect(again).toEqual({ ...first, conversation: ended, answeredBefore: true });
  });

  it('whose process died before it was stored is posted then', async () => {
    world.agent.byDefault = () => saying('hi');
    const { conversation } = await world.post('hello');
    const target = { kind: 'conversation', conversationId: conversation.id } as const;
    expect((await world.post('again', target, world.context('key', true))).message.content).toBe('again');
  });
});

describe('a clock that was set back behind the beginning of a request', () => {
  it('hides none of the conversations that its message may be in', async () => {
    world.agent.byDefault = () => saying('hi');
    world.clock.set(1_600_000_000_000);
    const first = await world.post('hello', inThread('thread'), world.context('key'));
    await world.endOf(first.conversation.id);
    const { conversation } = await world.post('something else');
    await world.endOf(conversation.id);
    await world.post('and on');
    world = await world.restarted();
    expect(await world.post('hello', inThread('thread'), world.context('key', true))).toMatchObject({
      message: { id: first.message.id },
      conversation: { id: first.conversation.id },
    });
  });
});
