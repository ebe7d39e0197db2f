import { NodeCryptoSecrets } from '@adapters/secrets.node-crypto';
import type { ConversationEvent } from '@domain/conversation/conversation.events';
import { StoreUnavailable } from '@ports/event-store.port';
import { ConversationWorld, inThread, PROJECT } from '@testing/conversation-world';
import { saying } from '@testing/scripted-turns';
import { GetTranscriptHandler } from '../transcript/transcript.handler.js';
import { GetTranscript, type MessageTarget } from '../conversation.commands.js';
import { conversationStream } from '../state/conversation-stream.js';
import { Cursors } from '../../paging/cursor.js';
import { PagedLists } from '../../paging/paged-list.js';
import { idFor } from '../../runtime/request-context.js';

let world: ConversationWorld;
beforeEach(async () => {
  world = await ConversationWorld.create();
  world.agent.byDefault = ({ content }) => saying(`re: ${content}`);
});
afterEach(() => world.close());

const byId = (conversationId: string): MessageTarget => ({ kind: 'conversation', conversationId });
const posted = async (id: string) => {
  const records = await world.ports.events.read<ConversationEvent>(conversationStream(id));
  return records.flatMap(({ event }) => (event.type === 'MessagePosted' ? [event.content] : []));
};

describe('a message', () => {
  it('is one append, and its reply another', async () => {
    const append = jest.spyOn(world.ports.events, 'append');
    await world.post('hello');
    await world.post('and now?');
    const stored = append.mock.calls
      .filter(([stream]) => stream.startsWith('conversation-'))
      .map(([, events]) => events.map(({ event: { type } }) => type));
    expect(stored).toEqual([['ConversationOpened', 'MessagePosted'], ['AgentReplied'], ['MessagePosted'], ['AgentReplied']]);
  });

  it('is refused by a store that takes nothing, and its agent is not asked', async () => {
    await world.post('hello');
    const append = jest.spyOn(world.ports.events, 'append').mockRejectedValue(new StoreUnavailable('the disk is full'));
    await expect(world.post('and now?')).rejects.toThrow('the disk is full');
    expect([append.mock.calls.length, world.agent.asked.length]).toEqual([1, 1]);
  });
});

describe('messages that arrive together', () => {
  it.each(['by id', 'by thread', 'by either'])('are stored as they came (%s)', async (how) => {
    const { conversation } = await world.post('first');
    const [one, other] = [how === 'by thread' ? inThread('thread') : byId(conversation.id), inThread('thread')];
    const targets = how === 'by id' ? [one, one, one] : [one, other, one];
    const contents = ['second', 'third', 'fourth'];
    await Promise.all(contents.map((content, index) => world.post(content, targets[index])));
    expect(await posted(conversation.id)).toEqual(['first', ...contents]);
  });

  it('keep their places behind a turn that a dead process left open', async () => {
    const { conversation } = await world.post('hello');
    world.agent.byDefault = null;
    world.post('look it up').catch(() => undefined);
    await world.askedTimes(2);
    world = await world.restarted();
    world.agent.byDefault = ({ content }) => saying(`re: ${content}`);
    const both = ['one', 'two'].map((content) => world.post(content, byId(conversation.id), world.context(content)));
    await world.clock.advance(world.settings.replyWindowMs - 1_000);
    expect(await posted(conversation.id)).toEqual(['hello', 'look it up']);
    await world.clock.advance(2_000);
    await Promise.all(both);
    expect(await posted(conversation.id)).toEqual(['hello', 'look it up', 'one', 'two']);
  });
});

describe('a conversation of version 0.1.0, which stored a message together with its reply', () => {
  const context = () => world.context('key', true);

  beforeEach(async () => {
    const { conversation } = await world.post('hello');
    const [at, messageId] = [world.clock.now(), idFor(world.ids, context(), 'message', 'message')];
    const window = { plainText: false, windowEndsAt: at + 30_000 };
    const together: ConversationEvent[] = [
      { type: 'MessagePosted', at, messageId, content: 'and now?', ...window },
      { type: 'AgentReplied', at, replyId: 'msg_reply', inReplyTo: messageId, content: 'this', actions: [] },
    ];
    const batch = together.map((event, index) => ({ id: `together ${index}`, event }));
    await world.ports.events.append(conversationStream(conversation.id), batch, 2);
    world = await world.restarted();
    world.agent.byDefault = ({ content }) => saying(`re: ${content}`);
  });

  it('goes on, and tells its transcript', async () => {
    const { conversation, reply } = await world.post('go on', inThread('thread'), world.context('another'));
    expect(reply.content).toBe('re: go on');
    const cursors = new Cursors(new NodeCryptoSecrets(Buffer.alloc(32, 7)));
    const transcript = new GetTranscriptHandler(world.streams, world.ports.events, new PagedLists(cursors));
    const page = new GetTranscript(
      PROJECT,
      conversation.id,
      { limit: 20, order: 'asc', startingAfter: null, endingBefore: null },
      null,
    );
    const { items } = await transcript.execute(page);
    expect(items.map(({ content }) => content)).toEqual(['hello', 're: hello', 'and now?', 'this', 'go on', 're: go on']);
  });

  it('gives the retry of such a message what is stored, and does not ask again', async () => {
    const sent = await world.post('and now?', inThread('thread'), context());
    expect(sent).toMatchObject({ reply: { id: 'msg_reply', content: 'this' }, answeredBefore: true });
    expect(sent.message.id).toBe(idFor(world.ids, context(), 'message', 'message'));
    expect(world.agent.asked).toEqual([]);
  });
});
