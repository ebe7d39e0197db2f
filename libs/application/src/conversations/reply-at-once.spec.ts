import { ConversationWorld, inThread } from '@testing/conversation-world';
import { settle } from '@testing/fake-clock';
import { saying } from '@testing/scripted-turns';
import { StoreUnavailable } from '@ports/event-store.port';
import { GetConversation, SendMessage } from './conversation.commands.js';

let world: ConversationWorld;
beforeEach(async () => {
  world = await ConversationWorld.create();
  world.agent.atOnce = (content) => (content === 'look it up' ? null : saying(`re: ${content}`));
});
afterEach(() => world.close());

const WINDOW_MS = 30_000;
const anna = { kind: 'thread', externalId: 'anna', customer: { email: 'anna@example.com' }, metadata: '{}' } as never;

describe('a reply that the agent has at once', () => {
  it('is stored together with its message', async () => {
    const append = jest.spyOn(world.ports.events, 'append');
    const first = await world.post('hello');
    await world.post('and now?');
    const stored = append.mock.calls
      .filter(([stream]) => stream.startsWith('conversation-'))
      .map(([, events]) => events.map(({ event: { type } }) => type));
    expect(stored).toEqual([
      ['ConversationOpened', 'MessagePosted', 'AgentReplied'],
      ['MessagePosted', 'AgentReplied'],
    ]);
    expect(first.reply).toMatchObject({ role: 'assistant', content: 're: hello', inReplyTo: first.message.id });
    expect(first.conversation).toMatchObject({ status: 'active', lastMessageAt: first.reply.createdAt });
    expect(world.agent.asked).toEqual([]);
  });

  it('is the same under the same key, after a restart too', async () => {
    const sent = await world.post('hello', inThread('thread'), world.origin('key'));
    const before = world;
    world = await before.restarted();
    world.agent.atOnce = () => saying('something else');
    expect(await world.post('hello', inThread('thread'), world.origin('key', true))).toEqual(sent);
  });

  it('comes behind the reply to the message before', async () => {
    const first = world.post('look it up');
    await world.askedTimes(1);
    const second = world.post('hello');
    await settle();
    world.agent.asked[0]!.answer(saying('found'));
    const [{ conversation }, { reply }] = await Promise.all([first, second]);
    expect(reply.content).toBe('re: hello');
    const types = await world.typesOf(conversation.id);
    expect(types.slice(1)).toEqual(['MessagePosted', 'AgentReplied', 'MessagePosted', 'AgentReplied']);
  });

  it('waits for a turn that a dead process left open, until its window is over', async () => {
    const { conversation } = await world.post('hello');
    world.post('look it up').catch(() => undefined);
    await world.askedTimes(1);
    world = await world.restarted();
    world.agent.atOnce = (content) => saying(`re: ${content}`);
    const target = { kind: 'conversation', conversationId: conversation.id } as const;
    await world.get.execute(new GetConversation(conversation.projectId, conversation.id));
    const second = world.post('hello again', target, world.origin('another'));
    await world.clock.advance(WINDOW_MS - 2);
    expect(await world.typesOf(conversation.id)).toHaveLength(4);
    await world.clock.advance(250);
    expect((await second).reply.content).toBe('re: hello again');
  });

  it('is refused by a store that takes nothing, and is asked for once', async () => {
    await world.post('hello');
    const append = jest.spyOn(world.ports.events, 'append').mockRejectedValue(new StoreUnavailable('the disk is full'));
    await expect(world.post('and now?')).rejects.toThrow('the disk is full');
    expect(append.mock.calls).toHaveLength(1);
  });

  it('ends the conversation where it takes leave, and the next message begins another', async () => {
    world.agent.atOnce = () => saying('goodbye', { type: 'end_conversation', reason: 'resolved' });
    const [first, second] = await Promise.all([world.post('bye'), world.post('bye')]);
    expect(await world.typesOf(first.conversation.id)).toEqual([
      'ConversationOpened',
      'MessagePosted',
      'AgentReplied',
      'ConversationEnded',
    ]);
    expect(second.conversation.id).not.toBe(first.conversation.id);
  });

  it('is not stored where its message is refused', async () => {
    world.agent.atOnce = () => saying('wait', { type: 'handoff', reason: 'asked', summary: null });
    const { conversation } = await world.post('a human please');
    const refusal = await world.post('hello').catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'conversation_handed_off' });
    expect(await world.typesOf(conversation.id)).toHaveLength(4);
  });
});

describe('a turn is asked for all the same', () => {
  beforeEach(() => (world.agent.byDefault = () => saying('**in a turn**')));

  it('where a customer is known', async () => {
    expect((await world.post('hello', anna)).reply.content).toBe('**in a turn**');
    expect((await world.post('hello', anna)).reply.content).toBe('**in a turn**');
  });

  it.each(['*', '**bold**'])('where markup would have to be read first (%s)', async (markup) => {
    world.agent.atOnce = () => saying(markup);
    const plain = new SendMessage(world.origin(), inThread('thread'), 'hello', true, WINDOW_MS);
    expect((await world.send.execute(plain)).reply.content).toBe('in a turn');
  });

  it('where nothing is said at once', async () => {
    world.agent.atOnce = () => saying(' ');
    expect((await world.post('hello')).reply.content).toBe('**in a turn**');
  });
});
