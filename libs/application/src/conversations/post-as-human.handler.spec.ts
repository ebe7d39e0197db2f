import { ConversationWorld, PROJECT } from '@testing/conversation-world';
import { HandOffConversation, OpenConversation, PostAsHuman, ResumeConversation } from './conversation.commands.js';

let world: ConversationWorld;
let id: string;
beforeEach(async () => {
  world = await ConversationWorld.create();
  const input = { externalId: null, customer: null, metadata: '{}', timeZone: null };
  ({ id } = await world.open.execute(new OpenConversation(world.context(), input)));
});
afterEach(() => world.close());

const handOff = () => world.handOff.execute(new HandOffConversation(world.context(), id, null, null));
const resume = () => world.resume.execute(new ResumeConversation(world.context(), id, null));
const write = (content: string, context = world.context()) =>
  world.postAsHuman.execute(new PostAsHuman(context, id, content, 'Kim'));

describe('what a human writes', () => {
  it('is a message in the place of the agent, with the name of its author, and begins no turn', async () => {
    await handOff();
    expect(await write('I am Kim.')).toEqual({
      id: expect.stringMatching(/^msg_/) as string,
      conversationId: id,
      role: 'assistant',
      author: { type: 'human', name: 'Kim' },
      content: 'I am Kim.',
      createdAt: world.clock.now(),
      inReplyTo: null,
      actions: [],
    });
    expect(await world.typesOf(id)).toEqual(['ConversationOpened', 'ConversationHandedOff', 'HumanReplied']);
    expect(world.agent.asked).toEqual([]);
  });

  it('is stored once under a key, and the same message again afterwards, even once the agent is back', async () => {
    await handOff();
    const first = await write('I am Kim.', world.context('key'));
    await resume();
    expect(await write('I am Kim.', world.context('key', true))).toEqual(first);
    expect((await world.typesOf(id)).filter((type) => type === 'HumanReplied')).toHaveLength(1);
  });

  it('is stored once where two requests with one key come at once', async () => {
    await handOff();
    const context = world.context('key');
    const [one, other] = await Promise.all([write('I am Kim.', context), write('I am Kim.', context)]);
    expect(other).toEqual(one);
    expect((await world.typesOf(id)).filter((type) => type === 'HumanReplied')).toHaveLength(1);
  });

  it('is refused while the agent has the conversation', async () => {
    const refusal = { code: 'conversation_not_handed_off', details: { extras: { conversation_id: id } } };
    await expect(write('hello')).rejects.toMatchObject(refusal);
  });

  it('is refused once it has ended, also by idling', async () => {
    world.clock.set(world.clock.now() + world.settings.conversationIdleMs);
    await expect(write('hello')).rejects.toMatchObject({ code: 'conversation_ended' });
  });

  it("is nobody else's: another project's conversation is not found", async () => {
    await handOff();
    const other = { ...world.context(), projectId: `${PROJECT.slice(0, -1)}1` };
    await expect(write('hello', other)).rejects.toMatchObject({ code: 'resource_missing' });
  });
});
