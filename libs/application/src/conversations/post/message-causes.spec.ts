import type { Envelope } from '@domain/kernel/envelope';
import type { Recorded } from '@ports/event-store.port';
import { beginningOf, wholeLog } from '@testing/cause-chain';
import { ConversationWorld, inThread } from '@testing/conversation-world';
import { saying } from '@testing/scripted-turns';
import type { MessageTarget } from '../conversation.commands.js';

let world: ConversationWorld;
beforeEach(async () => {
  world = await ConversationWorld.create();
  world.agent.byDefault = () => saying('hello');
});
afterEach(() => world.close());

const log = () => wholeLog(world.ports.events);
const metadataOf = (events: readonly Recorded[], type: string): Envelope | undefined =>
  events.find(({ event }) => event.type === type)?.metadata;

describe('all that a message causes', () => {
  it('bears a correlation id that is that of the message, and leads back to its request', async () => {
    const customer = { phone: '+4915112345678' };
    const { message } = await world.post('hi', { ...inThread('thread'), customer } as MessageTarget);
    const events = await log();
    expect(events.map(({ event }) => event.type)).toEqual(
      expect.arrayContaining(['Claimed', 'CustomerCreated', 'ConversationOpened', 'MessagePosted', 'AgentReplied']),
    );
    const correlationIds = events.map(({ metadata }) => metadata?.$correlationId);
    expect(new Set(correlationIds)).toEqual(new Set([message.id.replace('msg_', 'cor_')]));
    expect(new Set(events.map((event) => beginningOf(event, events)))).toEqual(new Set(['req_1']));
  });

  it('tells the key and the request where that causes it itself, and no more than the correlation id behind that', async () => {
    await world.post('hi');
    const events = await log();
    const whole = { $causationId: 'req_1', actor: { type: 'client', id: 'key_1' }, requestId: 'req_1' };
    expect(metadataOf(events, 'ConversationOpened')).toMatchObject(whole);
    const { $correlationId } = metadataOf(events, 'ConversationOpened')!;
    expect(metadataOf(events, 'MessagePosted')).toEqual({ $correlationId });
    expect(metadataOf(events, 'AgentReplied')).toEqual({ $correlationId });
    await world.post('again');
    const second = (await log()).filter(({ event }) => event.type === 'MessagePosted').at(-1);
    expect(second?.metadata).toMatchObject(whole);
    expect(second?.metadata?.$correlationId).not.toBe($correlationId);
  });

  it('goes on under the same correlation id when its process was killed and its request comes again', async () => {
    world.agent.byDefault = null;
    world.post('hi', inThread('thread'), world.context('key')).catch(() => undefined);
    await world.askedTimes(1);
    world = await world.restarted();
    world.agent.byDefault = () => saying('hello');
    await world.post('hi', inThread('thread'), world.context('key', true));
    const events = await log();
    const correlationIds = events.map(({ metadata }) => metadata?.$correlationId);
    expect(events.map(({ event }) => event.type)).toEqual(expect.arrayContaining(['TurnReopened', 'AgentReplied']));
    expect(new Set(correlationIds).size).toBe(1);
    expect(metadataOf(events, 'TurnReopened')).toMatchObject({ $causationId: 'req_1', actor: { type: 'client' } });
  });
});
