import { conversationDecider } from '@domain/conversation/conversation.decider';
import { AgentFailed } from '@ports/agent.port';
import type { Engine } from '@ports/engine.port';
import { StoreUnavailable, type EventStore } from '@ports/event-store.port';
import { ENVELOPE } from '@testing/envelopes';
import { ConversationWorld, inThread, PROJECT } from '@testing/conversation-world';
import { saying } from '@testing/scripted-turns';
import { conversationStream, newestFirst } from '../state/conversation-stream.js';
import { NO_REQUEST } from '../../runtime/request-context.js';

let world: ConversationWorld;
beforeEach(async () => {
  world = await ConversationWorld.create();
});
afterEach(() => world.close());

/** The store rejects this event so many times. */
function refusing(type: string, times: number): void {
  const events: EventStore = world.ports.events;
  const append = events.append.bind(events);
  let left = times;
  events.append = (stream, batch, expected) =>
    batch.some(({ event }) => event.type === type) && left-- > 0
      ? Promise.reject(new StoreUnavailable('the disk is full'))
      : append(stream, batch, expected);
}

/** The message last posted to the thread. */
async function postedId(): Promise<string> {
  for await (const { event } of newestFirst(world.ports.events, world.threads.known(PROJECT, 'thread')!)) {
    if (event.type === 'MessagePosted') return event.messageId;
  }
  throw new Error('nothing was posted');
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
    const conversationId = world.threads.known(PROJECT, 'thread')!;
    const newest = await newestFirst(world.ports.events, conversationId).next();
    expect(newest.value?.event.type).toBe(type);
    expect(world.agent.asked).toHaveLength(1);
  });

  it('whose reply could not be stored for as long as an agent may take is asked again', async () => {
    const { events } = world.ports;
    const append = events.append;
    world.agent.byDefault = () => saying('hello');
    refusing('AgentReplied', Infinity);
    await world.whileTimePasses(world.post('hi', inThread('thread'), world.context('key')).catch(() => undefined));
    while (world.outcomes.runsHere(await postedId())) await world.clock.advance(1_000);
    events.append = append;
    const again = world.post('hi', inThread('thread'), world.context('key', true));
    expect((await world.whileTimePasses(again)).reply.content).toBe('hello');
    expect(world.agent.asked).toHaveLength(2);
  });

  it('that failed is asked again as soon as the window of the one in front is over', async () => {
    world.agent.byDefault = failing;
    await world.post('A', inThread('thread'), world.context('key')).catch(() => undefined);
    world.agent.byDefault = null;
    const inFront = world.post('B').catch((error: unknown) => error);
    await world.askedTimes(2);
    await world.clock.advance(5_000);
    const again = world.post('A', inThread('thread'), world.context('key', true)).catch((error: unknown) => error);
    await world.clock.advance(24_000);
    expect(world.agent.asked).toHaveLength(2);
    await world.clock.advance(1_500);
    expect(await inFront).toMatchObject({ code: 'reply_timeout' });
    await world.askedTimes(3);
    await world.clock.advance(60_000);
    expect(await again).toMatchObject({ code: 'reply_timeout' });
  });

  it('shows the idle end of its conversation to who comes for the reply after it', async () => {
    const sent = world.post('hi', inThread('thread'), world.context('key'));
    await world.askedTimes(1);
    await world.clock.advance(100);
    world.agent.asked[0]!.answer(saying('hello'));
    const { conversation } = await sent;
    world.clock.set(world.clock.now() + world.settings.conversationIdleMs);
    const again = await world.post('hi', inThread('thread'), world.context('key', true));
    const endedAt = conversation.lastMessageAt! + world.settings.conversationIdleMs;
    expect(again).toMatchObject({ reply: { content: 'hello' }, conversation: { status: 'ended', endedAt, endReason: 'idle' } });
  });

  it('that is asked again keeps the next message waiting for as long as its own window', async () => {
    world.agent.byDefault = failing;
    await world.post('A', inThread('thread'), world.context('key')).catch(() => undefined);
    world.agent.byDefault = null;
    const again = world.post('A', inThread('thread'), world.context('key', true)).catch((error: unknown) => error);
    await world.askedTimes(2);
    await world.clock.advance(1_000);
    const next = world.post('B');
    await world.clock.advance(world.settings.replyWindowMs - 1_001);
    expect(world.agent.asked).toHaveLength(2);
    await world.clock.advance(1);
    expect(await again).toMatchObject({ code: 'reply_timeout' });
    await world.askedTimes(3);
    world.agent.asked[2]!.answer(saying('to B'));
    expect((await next).reply.content).toBe('to B');
  });

  it('of another process is its own for six minutes, longer than any agent is waited for', () => {
    expect(world.clock.now() - world.outcomes.longAgo()).toBe(6 * 60_000);
  });
});

describe('whoever comes for a turn', () => {
  /** The outcome of the thread's only message, for so many callers at once. */
  async function outcomes(count: number) {
    const conversationId = world.threads.known(PROJECT, 'thread')!;
    const messageId = await postedId();
    const windowEndsAt = world.clock.now() + world.settings.replyWindowMs;
    const client = { windowEndsAt, request: NO_REQUEST, whenHandedOff: 'refuse' } as const;
    const ask = () => world.outcomes.outcome(conversationId, messageId, ENVELOPE, client);
    return Promise.all(Array.from({ length: count }, ask));
  }
  /** The same for a sweep, whose rows show the turn as open. */
  const swept = async () => world.outcomes.outcome(world.threads.known(PROJECT, 'thread')!, await postedId(), ENVELOPE, null);

  it('joins it while it runs here', async () => {
    const sent = world.post('hi');
    await world.askedTimes(1);
    const joined = outcomes(2);
    for (let n = 0; n < 20; n++) await world.clock.advance(1);
    for (const { answer } of world.agent.asked) answer(saying('hello'));
    expect((await joined).map((outcome) => outcome.kind === 'replied' && outcome.reply)).toEqual(
      [1, 2].map(() => expect.objectContaining({ content: 'hello' })),
    );
    expect([(await sent).reply.content, world.agent.asked.length]).toEqual(['hello', 1]);
  });

  it('asks once more for one that failed, however many come at the same time', async () => {
    world.agent.byDefault = failing;
    await world.post('hi').catch(() => undefined);
    world.agent.byDefault = () => saying('hello');
    expect((await outcomes(5)).map(({ kind }) => kind)).toEqual(Array(5).fill('replied'));
    expect(world.agent.asked).toHaveLength(2);
  });

  it('asks nobody again for one that failed where no client waits for it', async () => {
    world.agent.byDefault = failing;
    await world.post('hi').catch(() => undefined);
    world.agent.byDefault = () => saying('hello');
    expect(await swept()).toEqual({ kind: 'failed' });
    expect(world.agent.asked).toHaveLength(1);
  });

  it('asks again for one that was left open only when the turn is over that began here meanwhile', async () => {
    world.agent.byDefault = () => new StoreUnavailable('the log does not answer');
    await world.post('hi').catch(() => undefined);
    world.agent.byDefault = () => saying('hello');
    const { events } = world.ports;
    const append = events.append.bind(events);
    const stream = conversationStream(world.threads.known(PROJECT, 'thread')!);
    events.append = async (...given) => {
      events.append = append;
      world.turns.announce('msg_2');
      const at = world.clock.now();
      const post = { type: 'PostMessage', at, messageId: 'msg_2', content: 'and?', plainText: false, waits: false } as const;
      const times = { windowEndsAt: at + 5_000, owner: world.instances.id, idleMs: world.settings.conversationIdleMs };
      const queued = { ...post, ...times, whenHandedOff: 'refuse' } as const;
      await world.streams.run(stream, conversationDecider, queued, ENVELOPE);
      return append(...given);
    };
    const found = swept();
    await world.clock.advance(4_900);
    expect(world.agent.asked).toHaveLength(1);
    expect(await world.whileTimePasses(found)).toMatchObject({ kind: 'replied' });
  });

  it('asks again for one that an earlier version opened in another process once six minutes have gone by, and no sooner', async () => {
    world.agent.byDefault = failing;
    await world.post('hi').catch(() => undefined);
    world.agent.byDefault = () => saying('hello');
    const [conversationId, messageId, at] = [world.threads.known(PROJECT, 'thread')!, await postedId(), world.clock.now()];
    const stream = conversationStream(conversationId);
    const { revision } = await world.streams.load(stream, conversationDecider);
    const event = { type: 'TurnReopened', at, messageId, windowEndsAt: at + 30_000 } as const;
    await world.ports.events.append(stream, [{ id: world.ids.uuid(), event }], revision);
    // Several processes share the engine: open turns belong to them.
    jest.replaceProperty(world.ports.engine as Engine, 'isShared', true);
    await world.clock.advance(1);
    const outcome = world.outcomes.outcome(conversationId, messageId, ENVELOPE, null);
    world.agent.byDefault = () => saying(`after ${(world.clock.now() - at) / 60_000} minutes`);
    const found = await world.whileTimePasses(outcome);
    expect(found).toMatchObject({ kind: 'replied', reply: { content: expect.stringMatching(/^after 6.0[0-3]/) as string } });
    jest.restoreAllMocks();
  });
});
