import type { ConversationEvent } from '@domain/conversation/conversation.events';
import { ConversationWorld, inThread } from '@testing/conversation-world';
import { settle } from '@testing/fake-clock';
import { saying } from '@testing/scripted-turns';
import { GetConversation, type MessageTarget } from './conversation.commands.js';
import { conversationStream } from './conversation-stream.js';

const WINDOW_MS = 30_000;

let world: ConversationWorld;
beforeEach(async () => {
  world = await ConversationWorld.create();
  world.agent.byDefault = () => saying('found');
  answerAtOnce();
});
afterEach(() => world.close());

const answerAtOnce = () =>
  (world.agent.atOnce = (content) => (content.startsWith('look it up') ? null : saying(`re: ${content}`)));
const byId = (conversationId: string): MessageTarget => ({ kind: 'conversation', conversationId });
const posted = async (id: string) => {
  const records = await world.ports.events.read<ConversationEvent>(conversationStream(id));
  return records.flatMap(({ event }) => (event.type === 'MessagePosted' ? [event.content] : []));
};

describe('messages that arrive together', () => {
  it.each(['by id', 'by thread', 'by either'])(
    'are stored as they came, whether the agent has its replies at once or not (%s)',
    async (how) => {
      const { conversation } = await world.post('first');
      const [one, other] = [how === 'by thread' ? inThread('thread') : byId(conversation.id), inThread('thread')];
      const targets = how === 'by id' ? [one, one, one] : [one, other, one];
      const contents = ['look it up', 'second', 'look it up again'];
      await Promise.all(contents.map((content, index) => world.post(content, targets[index])));
      expect(await posted(conversation.id)).toEqual(['first', ...contents]);
    },
  );

  it('keep their places though the first is refused at once, for a turn that a dead process left open', async () => {
    const { conversation } = await world.post('hello');
    world.agent.byDefault = null;
    world.post('look it up').catch(() => undefined);
    await world.askedTimes(1);
    world = await world.restarted();
    answerAtOnce();
    await world.get.execute(new GetConversation(conversation.projectId, conversation.id));
    const both = ['one', 'two'].map((content) => world.post(content, byId(conversation.id), world.origin(content)));
    await settle();
    await world.clock.advance(WINDOW_MS + 1_000);
    await Promise.all(both);
    expect(await posted(conversation.id)).toEqual(['hello', 'look it up', 'one', 'two']);
  });

  it('go on behind one for which the agent threw something', async () => {
    const { conversation } = await world.post('hello');
    world.agent.atOnce = () => {
      throw new RangeError('too deep');
    };
    await expect(world.post('bad')).rejects.toThrow('too deep');
    answerAtOnce();
    await world.post('after');
    expect(await posted(conversation.id)).toEqual(['hello', 'after']);
  });
});
