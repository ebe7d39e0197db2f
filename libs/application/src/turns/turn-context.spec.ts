import { ConversationWorld, inThread } from '@testing/conversation-world';
import { saying } from '@testing/scripted-turns';

let world: ConversationWorld;
beforeEach(async () => {
  world = await ConversationWorld.create();
  world.agent.byDefault = (turn) => saying(`re: ${turn.content}`);
});
afterEach(() => world.close());

const OF_ANNA = { ...inThread('thread'), customer: { phone: '+4915100000001' } } as ReturnType<typeof inThread>;
const lastTurn = () => world.agent.asked.at(-1)!.turn;
const nothing = { appointments: [], conversations: [] };

describe('what an agent is given', () => {
  it('is the newest hundred messages, the one to answer among them', async () => {
    for (let n = 1; n <= 51; n++) await world.post(`${n}`);
    const lines = await lastTurn().transcript();
    expect([lines.length, lines[0]?.content, lines.at(-1)?.content]).toEqual([100, 're: 1', '51']);
  });

  it('is no memory that takes longer than half a second', async () => {
    world.ports.readModels.page = () => new Promise(() => undefined);
    world.ports.readModels.reached = () => Promise.resolve(true);
    await world.post('hello', OF_ANNA);
    const memory = lastTurn().memory();
    let told = false;
    void memory.then(() => (told = true));
    await world.clock.advance(499);
    expect(told).toBe(false);
    await world.clock.advance(1);
    expect(told).toBe(true);
    expect(await memory).toEqual(nothing);
  });

  it('is neither card nor memory of a customer who was deleted', async () => {
    const { conversation } = await world.post('hello', OF_ANNA);
    expect(lastTurn().customer).toMatchObject({ phone: '+4915100000001' });
    await world.deleteCustomer(conversation.customerId!);
    await world.post('and now?');
    expect(lastTurn().customer).toBeNull();
    expect(await lastTurn().memory()).toEqual(nothing);
  });
});
