import { ConversationWorld, PROJECT } from '@testing/conversation-world';
import { saying } from '@testing/scripted-turns';
import type { EventStore } from '@ports/event-store.port';
import { MessageFollower } from './message-follower.js';

let world: ConversationWorld;
beforeEach(async () => void (world = await ConversationWorld.create()));
afterEach(() => world.close());

/** A store whose reads wait for something first. */
function readingAfter(first: () => Promise<unknown>): EventStore {
  const { events } = world.ports;
  return Object.assign(Object.create(events) as EventStore, {
    read: async (...args: Parameters<EventStore['read']>) => {
      await first();
      return events.read(...args);
    },
  });
}

it('a reply that is stored while a message is looked up is not shown with the conversation from before it', async () => {
  const { message } = await world.postBy({ wait: 0 }, 'Hello');
  await world.askedTimes(1);
  const { clock, streams, live, settings } = world;
  const reply = async () => {
    await clock.advance(1_000);
    world.agent.asked[0]!.answer(saying('Hi'));
    await world.turns.running(message.id);
  };
  const follower = new MessageFollower(streams, readingAfter(reply), live, clock, settings);
  const name = { projectId: PROJECT, conversationId: message.conversationId, messageId: message.id };
  const { state, conversation } = await follower.standing(name);
  if (state?.is !== 'replied') throw new Error('There is no reply.');
  expect(conversation.lastMessageAt).toBe(state.reply.createdAt);
});
