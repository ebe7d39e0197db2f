import { DomainError } from '@domain/kernel/domain-error';
import type { CustomerMemory } from '@ports/agent.port';
import { ConversationWorld, inThread, noAppointments } from '@testing/conversation-world';
import { saying } from '@testing/scripted-turns';
import { conversationsProjection } from '../state/conversations.projection.js';
import { ProjectionRunner } from '../../projections/projection-runner.js';

let world: ConversationWorld;
let following: Promise<void>;
const end = { abort: () => {} };

beforeEach(async () => {
  world = await ConversationWorld.create();
  world.agent.byDefault = () => saying('noted');
  const { events: store, readModels } = world.ports;
  const over = new AbortController();
  end.abort = () => over.abort();
  const projection = conversationsProjection as unknown as ConstructorParameters<typeof ProjectionRunner>[0];
  following = new ProjectionRunner(projection, { store, readModels, clock: world.clock }).run(over.signal);
});
afterEach(async () => {
  end.abort();
  await following;
  await world.close();
});

/** Writes in a thread of the same customer; returns what the agent sees of the other threads. */
async function remembered(thread: string, content = thread): Promise<CustomerMemory['conversations']> {
  await world.post(content, { ...inThread(thread), customer: { phone: '+4915100000001' } } as ReturnType<typeof inThread>);
  const { conversations } = await world.whileTimePasses(world.agent.asked.at(-1)!.turn.memory());
  return conversations;
}

const firstWords = (conversations: CustomerMemory['conversations']) => conversations.map(({ lines }) => lines[0]?.content);

describe('the earlier conversations of a customer', () => {
  it('are the five newest besides the one that goes on, newest first, as soon as they are held', async () => {
    for (const thread of ['1', '2', '3', '4', '5', '6']) await remembered(thread);
    expect(firstWords(await remembered('7'))).toEqual(['6', '5', '4', '3', '2']);
    expect(firstWords(await remembered('1', 'again'))).toEqual(['7', '6', '5', '4', '3']);
  });

  it('are told also while the appointments cannot be looked at', async () => {
    await remembered('one');
    jest.spyOn(noAppointments, 'appointmentsOf').mockRejectedValueOnce(new DomainError('service_unavailable', 'Made anew.'));
    expect(firstWords(await remembered('two'))).toEqual(['one']);
  });

  it('are told with their last ten messages, each cut at 500 code points', async () => {
    for (let n = 0; n < 6; n++) await remembered('long', `${n}${'👍'.repeat(n === 5 ? 499 : 500)}`);
    const [{ lines } = { lines: [] }] = await remembered('now');
    expect(lines.map(({ content }) => content.slice(0, 1))).toEqual(['1', 'n', '2', 'n', '3', 'n', '4', 'n', '5', 'n']);
    expect(lines.map(({ content }) => [...content].length).filter((length) => length > 5)).toEqual([500, 500, 500, 500, 500]);
  });

  it('have ended by idling at the instant that idling was over, whether or not a sweep came by', async () => {
    await remembered('one');
    expect(await remembered('two')).toMatchObject([{ endReason: 'active' }]);
    await world.clock.advance(world.settings.conversationIdleMs);
    const [two, one] = await remembered('three');
    expect([two?.endReason, one?.endReason]).toEqual(['idle', 'idle']);
  });

  it('tell nothing of what an agent noted', async () => {
    world.agent.byDefault = () => ({ ...saying('noted'), note: '{"secret":1}' });
    await remembered('one');
    expect(JSON.stringify(await remembered('two'))).not.toContain('secret');
  });
});
