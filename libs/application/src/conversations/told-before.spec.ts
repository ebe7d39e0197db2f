import type { Origin } from '@application/origin';
import { ConversationWorld, inThread } from '@testing/conversation-world';
import { saying } from '@testing/scripted-turns';

let world: ConversationWorld;
beforeEach(async () => {
  world = await ConversationWorld.create();
  world.agent.atOnce = (content) => (content === 'look it up' ? null : saying(`re: ${content}`));
});
afterEach(() => world.close());

const post = async (content: string, origin: Origin) => ({ sent: await world.post(content, inThread('thread'), origin), origin });
const first = (content = 'hello') => post(content, world.origin('key'));
const again = (content = 'hello') => post(content, world.origin('key', true));

describe('the answer to a message', () => {
  it('that the agent answered at once can be told again, and is told as it was, whatever followed', async () => {
    const { sent, origin } = await first();
    expect(origin.retelling).toBe('possible');
    await world.post('and this');
    await world.endOf(sent.conversation.id);
    await world.post('a new conversation');
    world = await world.restarted();
    const told = await again();
    expect(told.sent).toEqual(sent);
    expect(told.origin.retelling).toBe('done');
  });

  it.each([
    ['many conversations of its thread began while it waited', 0],
    ['the clock was set back behind their beginnings meanwhile', -3_600_000],
  ])('is told as it was though %s', async (_, ms) => {
    const { atOnce } = world.agent;
    const bye = saying('goodbye', { type: 'end_conversation', reason: 'resolved' });
    world.agent.atOnce = (content) => (content === 'bye' ? bye : atOnce(content));
    const byes = Array.from({ length: 40 }, () => world.post('bye'));
    world.clock.set(world.clock.now() + ms);
    const { sent } = await first();
    await Promise.all(byes);
    world.clock.set(world.clock.now() + 5_000);
    await world.post('and this');
    const told = await again();
    expect(told.sent).toEqual(sent);
    expect(told.origin.retelling).toBe('done');
  });

  it('has to be kept where the agent took a turn for it, and is told as it was where it was not', async () => {
    world.agent.byDefault = () => saying('found');
    const { sent, origin } = await first('look it up');
    expect(origin.retelling).toBeUndefined();
    await world.post('and this');
    expect((await again('look it up')).sent).toEqual(sent);
  });

  it('has to be kept where the agent did something with it', async () => {
    world.agent.atOnce = () => saying('goodbye', { type: 'end_conversation', reason: 'resolved' });
    const { sent, origin } = await first();
    expect(origin.retelling).toBeUndefined();
    expect((await again()).sent).toEqual(sent);
  });

  it('has to be kept in a long conversation, of which reading it again would take long', async () => {
    for (let turn = 0; turn < 249; turn++) await world.post(`turn ${turn}`);
    const last = await first();
    expect(last.origin.retelling).toBeUndefined();
    const { sent, origin } = await again();
    expect([sent, origin.retelling]).toEqual([last.sent, undefined]);
  });

  it('can be told again up to there', async () => {
    for (let turn = 0; turn < 248; turn++) await world.post(`turn ${turn}`);
    const { sent, origin } = await first();
    expect(origin.retelling).toBe('possible');
    for (let turn = 0; turn < 20; turn++) await world.post(`and turn ${turn}`);
    expect((await again()).sent).toEqual(sent);
  });
});
