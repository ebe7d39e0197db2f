import { inThread, ConversationWorld } from '@testing/conversation-world';
import { ENVELOPE } from '@testing/envelopes';
import { settle } from '@testing/fake-clock';
import { saying } from '@testing/scripted-turns';

type Pair = Awaited<ReturnType<typeof ConversationWorld.pair>>;
type Gateway = Pair['gateways'][0];

let pair: Pair;
let first: Gateway;
let second: Gateway;
beforeEach(async () => {
  pair = await ConversationWorld.pair();
  [first, second] = pair.gateways;
  // Within six seconds of its start a process treats every lease as valid.
  await pair.clock.advance(10_000);
});
afterEach(async () => {
  for (const { instances } of pair.gateways) await instances.onApplicationShutdown();
  await pair.close();
});

const THREAD = inThread('thread');
const NOT_WAITING = { wait: 0 } as const;
const idOf = ({ message }: { message: { id: string } }) => message.id;
async function until(holds: () => boolean): Promise<void> {
  for (let n = 0; n < 2_000 && !holds(); n++) await pair.clock.advance(10);
  if (!holds()) throw new Error('It did not come to hold within 20 s.');
}

/** A turn is open at the first gateway, and a message that nobody waits for is queued at the second. */
async function queued() {
  const open = first.world.post('first');
  await first.world.askedTimes(1);
  const posted = second.world.postBy(NOT_WAITING, 'second', THREAD, second.world.context('second'));
  const accepted = await second.world.whileTimePasses(posted);
  return { open, accepted, conversationId: accepted.message.conversationId };
}

describe('a message that nobody waits for, behind a turn at another gateway', () => {
  it('is queued, and answered once that turn is over', async () => {
    const { open, accepted, conversationId } = await queued();
    expect(accepted).toMatchObject({ reply: null, replyStatus: 'queued', message: { content: 'second' } });
    expect(second.world.agent.asked).toHaveLength(0);
    first.world.agent.asked[0]!.answer(saying('to the first'));
    await first.world.whileTimePasses(open);
    await until(() => second.world.agent.asked.length === 1);
    const lines = await second.world.agent.asked[0]!.turn.transcript();
    expect(lines.map(({ content }) => content)).toEqual(['first', 'to the first', 'second']);
    second.world.agent.asked[0]!.answer(saying('to the second'));
    const { message } = accepted;
    await second.world.whileTimePasses(second.world.outcomes.outcome(conversationId, message.id, ENVELOPE, null));
    expect(await second.world.typesOf(conversationId)).toEqual([
      'ConversationOpened',
      'MessagePosted',
      'MessageQueued',
      'AgentReplied',
      'TurnOpened',
      'AgentReplied',
    ]);
  });

  it('is begun by a living gateway if its own dies', async () => {
    const { open, accepted, conversationId } = await queued();
    second.records.away = true;
    first.world.agent.asked[0]!.answer(saying('to the first'));
    await first.world.whileTimePasses(open);
    first.world.agent.byDefault = () => saying('to the second');
    // As the sweep of turns asks for it.
    const outcome = first.world.outcomes.outcome(conversationId, idOf(accepted), ENVELOPE, null);
    expect(await first.world.whileTimePasses(outcome)).toMatchObject({ kind: 'replied', reply: { content: 'to the second' } });
  });

  it('goes before a post that comes later to another gateway', async () => {
    const { open } = await queued();
    const later = first.world.post('third', THREAD, first.world.context('third'));
    second.world.agent.byDefault = ({ content }) => saying(`re: ${content}`);
    first.world.agent.asked[0]!.answer(saying('to the first'));
    await first.world.whileTimePasses(open);
    await until(() => first.world.agent.asked.length === 2);
    const lines = await first.world.agent.asked[1]!.turn.transcript();
    expect(lines.map(({ content }) => content)).toEqual(['first', 'to the first', 'second', 're: second', 'third']);
    first.world.agent.asked[1]!.answer(saying('done'));
    await first.world.whileTimePasses(later);
  });
});

describe('messages that nobody waits for', () => {
  it('are answered in the order in which they came, with those in between that somebody waits for', async () => {
    const { world } = first;
    world.agent.byDefault = ({ content }) => saying(`re: ${content}`);
    const asked: string[] = [];
    const all = Array.from({ length: 8 }, (_, n) =>
      n % 2 === 0 ? world.postBy(NOT_WAITING, `m${n}`) : world.post(`m${n}`).then(() => void asked.push(`m${n}`)),
    );
    await world.whileTimePasses(Promise.all(all));
    for (let n = 0; n < 50 && world.agent.asked.length < 8; n++) await settle();
    expect(world.agent.asked.map(({ turn }) => turn.content)).toEqual(Array.from({ length: 8 }, (_, n) => `m${n}`));
    expect(asked).toEqual(['m1', 'm3', 'm5', 'm7']);
  });

  it('are stored before they are acknowledged at the end of a bounded wait', async () => {
    const { world } = first;
    const open = world.post('first');
    await world.askedTimes(1);
    const bounded = world.postBy({ wait: 1_000 }, 'second');
    await pair.clock.advance(999);
    const [conversationId] = await world.threads.holdersSince(world.context().projectId, 'thread', 0);
    expect(await world.typesOf(conversationId!)).toHaveLength(2);
    await pair.clock.advance(1);
    expect(await bounded).toMatchObject({ replyStatus: 'queued' });
    expect(await world.typesOf(conversationId!)).toEqual(['ConversationOpened', 'MessagePosted', 'MessageQueued']);
    world.agent.byDefault = () => saying('re: second');
    world.agent.asked[0]!.answer(saying('re: first'));
    await open;
    await until(() => world.agent.asked.length === 2);
  });
});
