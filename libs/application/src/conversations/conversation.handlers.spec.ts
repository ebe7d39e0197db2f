import { NodeCryptoSecrets } from '@adapters/secrets.node-crypto';
import { originOf } from '@testing/envelopes';
import { ConversationWorld, PROJECT } from '@testing/conversation-world';
import { idFor } from '../runtime/request-context.js';
import { Cursors } from '../paging/cursor.js';
import { PagedLists } from '../paging/paged-list.js';
import { GetTranscript, OpenConversation } from './conversation.commands.js';
import { conversationStream } from './state/conversation-stream.js';
import { GetTranscriptHandler } from './transcript/transcript.handler.js';

let world: ConversationWorld;
beforeEach(async () => {
  world = await ConversationWorld.create();
});
afterEach(() => world.close());

async function opened(): Promise<string> {
  return (
    await world.open.execute(
      new OpenConversation(world.context(), { externalId: null, customer: null, metadata: '{}', timeZone: null }),
    )
  ).id;
}

async function endOf(id: string) {
  return (await world.ports.events.read(conversationStream(id))).at(-1)?.event;
}

describe('a transcript', () => {
  it('is looked through for its project, whose walks are one at a time', async () => {
    const lists = new PagedLists(new Cursors(new NodeCryptoSecrets(Buffer.alloc(32, 7))));
    const pages = jest.spyOn(lists, 'page');
    const page = { limit: 2, order: 'asc', startingAfter: null, endingBefore: null } as const;
    const handler = new GetTranscriptHandler(world.streams, world.ports.events, lists);
    await handler.execute(new GetTranscript(PROJECT, await opened(), page, null));
    expect(pages.mock.calls.map(([{ walkedBy }]) => walkedBy)).toEqual([PROJECT]);
  });
});

describe('opening again under the same key', () => {
  it('shows the idle end that came in between', async () => {
    const open = (again: boolean) =>
      new OpenConversation(world.context('key', again), { externalId: null, customer: null, metadata: '{}', timeZone: null });
    const { id, createdAt } = await world.open.execute(open(false));
    const { conversationIdleMs } = world.settings;
    world.clock.set(createdAt + conversationIdleMs);
    const endedAt = createdAt + conversationIdleMs;
    expect(await world.open.execute(open(true))).toMatchObject({ id, status: 'ended', endedAt, endReason: 'idle' });
  });
});

describe('opening a thread again under the same key', () => {
  it('answers with the conversation that it opened, when that ended and another has the thread', async () => {
    const open = (again: boolean) =>
      new OpenConversation(world.context('key', again), { externalId: 'thread', customer: null, metadata: '{}', timeZone: null });
    const { id } = await world.open.execute(open(false));
    await world.endOf(id);
    await world.open.execute(
      new OpenConversation(world.context(), { externalId: 'thread', customer: null, metadata: '{}', timeZone: null }),
    );
    expect(await world.open.execute(open(true))).toMatchObject({ id, status: 'ended', endReason: 'explicit' });
  });

  it('makes the conversation that it had claimed the thread for when its process died', async () => {
    const input = { externalId: 'thread', customer: null, metadata: '{}', timeZone: null };
    const context = world.context('key');
    const { projectId, commandId } = context;
    const conversationId = idFor(world.ids, context, 'conversation', 'conversation');
    await world.threads.resolve({ ...input, conversationId, projectId, at: world.clock.now() }, 'thread', originOf(commandId));
    world = await world.restarted();
    const opened = await world.open.execute(new OpenConversation(world.context('key', true), input));
    expect(opened).toMatchObject({ id: conversationId, status: 'active' });
  });
});

describe('an end', () => {
  it('keeps the reason that its client gave, the first one', async () => {
    const id = await opened();
    await world.endOf(id, 'solved on the phone');
    await world.endOf(id, 'changed my mind');
    expect(await endOf(id)).toMatchObject({ type: 'ConversationEnded', reason: 'explicit', note: 'solved on the phone' });
  });

  it('by idling keeps none, even if it is asked for later', async () => {
    const id = await opened();
    world.clock.set(world.clock.now() + world.settings.conversationIdleMs);
    await world.endOf(id, 'too late');
    const end = await endOf(id);
    expect(end).toMatchObject({ type: 'ConversationEnded', reason: 'idle' });
    expect(end).not.toHaveProperty('note');
  });
});
