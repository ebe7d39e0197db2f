import { AgentFailed } from '@ports/agent.port';
import { StoreUnavailable, type EventStore } from '@ports/event-store.port';
import { ConversationWorld, inThread } from '@testing/conversation-world';
import { saying } from '@testing/scripted-turns';

let world: ConversationWorld;
beforeEach(async () => {
  world = await ConversationWorld.create();
});
afterEach(() => world.close());

/** The store takes no such event, as often as told. */
function refusing(type: string, times: number): void {
  const events: EventStore = world.ports.events;
  const append = events.append.bind(events);
  let left = times;
  events.append = (stream, batch, expected) =>
    batch.some(({ event }) => event.type === type) && left-- > 0
      ? Promise.reject(new StoreUnavailable('the disk is full'))
      : append(stream, batch, expected);
}

const failing = () => new AgentFailed('http_error', '500');

describe('a turn', () => {
  it.each([
    ['a reply', 'AgentReplied', () => saying('hello'), { reply: { content: 'hello' } }],
    ['a failure', 'TurnFailed', failing, { code: 'agent_unavailable' }],
  ] as const)('keeps %s that the store refuses for a while, and asks nobody again', async (_, type, answer, outcome) => {
    world.agent.byDefault = answer;
    refusing(type, 4);
    const sent = world.post('hi', inThread('thread')).catch((error: unknown) => error);
    let over = false;
    void sent.then(() => (over = true));
    while (!over) await world.clock.advance(100);
    expect(await sent).toMatchObject(outcome);
    expect(world.agent.asked).toHaveLength(1);
  });

  it('that failed is asked again as soon as the window of the one in front is over', async () => {
    world.agent.byDefault = failing;
    await world.post('A', inThread('thread'), world.origin('key')).catch(() => undefined);
    world.agent.byDefault = null;
    const inFront = world.post('B').catch((error: unknown) => error);
    await world.askedTimes(2);
    await world.clock.advance(5_000);
    const again = world.post('A', inThread('thread'), world.origin('key', true)).catch((error: unknown) => error);
    await world.clock.advance(24_000);
    expect(world.agent.asked).toHaveLength(2);
    await world.clock.advance(1_500);
    expect(await inFront).toMatchObject({ code: 'reply_timeout' });
    await world.askedTimes(3);
    await world.clock.advance(60_000);
    expect(await again).toMatchObject({ code: 'reply_timeout' });
  });

  it('shows the idle end of its conversation to who comes for the reply after it', async () => {
    world.agent.byDefault = () => saying('hello');
    const { conversation } = await world.post('hi', inThread('thread'), world.origin('key'));
    world.clock.set(world.clock.now() + world.settings.conversationIdleMs);
    const again = await world.post('hi', inThread('thread'), world.origin('key', true));
    const endedAt = conversation.lastMessageAt! + world.settings.conversationIdleMs;
    expect(again).toMatchObject({ reply: { content: 'hello' }, conversation: { status: 'ended', endedAt, endReason: 'idle' } });
  });
});
