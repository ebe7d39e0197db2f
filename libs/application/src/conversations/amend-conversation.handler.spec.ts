import { ConversationWorld } from '@testing/conversation-world';
import { landsLate } from '@testing/late-append';
import { saying } from '@testing/scripted-turns';
import { AmendConversationHandler } from './amend-conversation.handler.js';
import { AmendConversation } from './conversation.commands.js';

let world: ConversationWorld;
beforeEach(async () => (world = await ConversationWorld.create()));
afterEach(() => world.close());

describe('an amendment whose first append lands while its retry looks for it', () => {
  it('is answered with the conversation as it is then', async () => {
    const { streams, customers, clock, ids, settings } = world;
    const handler = new AmendConversationHandler(streams, customers, clock, ids, settings);
    world.agent.byDefault = () => saying('hello');
    const { conversation } = await world.post('hi');
    const amend = (isRetry: boolean) =>
      handler.execute(new AmendConversation(world.context('key', isRetry), conversation.id, { timeZone: 'Asia/Tokyo' }));
    landsLate(world.ports.events, () => amend(false));
    expect(await amend(true)).toMatchObject({ timeZone: 'Asia/Tokyo' });
  });
});
