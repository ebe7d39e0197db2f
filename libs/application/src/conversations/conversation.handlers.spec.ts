import { ConversationWorld } from '@testing/conversation-world';
import { OpenConversation } from './conversation.commands.js';
import { conversationStream } from './conversation-stream.js';

let world: ConversationWorld;
beforeEach(async () => {
  world = await ConversationWorld.create();
});
afterEach(() => world.close());

async function opened(): Promise<string> {
  return (await world.open.execute(new OpenConversation(world.origin(), { externalId: null, customer: null, metadata: '{}' })))
    .id;
}

async function endOf(id: string) {
  return (await world.ports.events.read(conversationStream(id))).at(-1)?.event;
}

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
