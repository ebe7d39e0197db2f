import { conversationsProjection } from '../state/conversations.projection.js';
import { conversationStream } from '../state/conversation-stream.js';
import { ROUND } from '@testing/envelopes';
import { ConversationWorld, inThread, PROJECT } from '@testing/conversation-world';
import { saying } from '@testing/scripted-turns';
import { ProjectionRunner } from '../../projections/projection-runner.js';
import { FlushRequests } from '../../read-models/flush-requests.js';
import { FreshRows } from '../../read-models/fresh-rows.js';
import { TurnSweeper } from './turn.sweeper.js';

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

const post = ({ world }: Gateway, again = false) => world.post('hi', inThread('thread'), world.context('key', again));
/** The first gateway has stored the message and asked its agent, which does not answer. */
async function asking(): Promise<void> {
  post(first).catch(() => undefined);
  await first.world.askedTimes(1);
}
/** Moves the clock until the agent of this gateway is asked. Returns how long that took. */
async function untilAsked({ world }: Gateway): Promise<number> {
  const from = pair.clock.now();
  while (world.agent.asked.length === 0 && pair.clock.now() - from < 60_000) await pair.clock.advance(10);
  return pair.clock.now() - from;
}
async function typesStored(): Promise<string[]> {
  const [id] = await second.world.threads.holdersSince(PROJECT, 'thread', 0);
  return second.world.typesOf(id!);
}

describe('a turn that is open when its gateway dies', () => {
  it('is asked again within eight seconds by another gateway whose client repeats the post: one message, one reply', async () => {
    await asking();
    first.records.away = true;
    const repeated = post(second, true);
    expect(await untilAsked(second)).toBeLessThanOrEqual(8_000);
    second.world.agent.asked[0]!.answer(saying('hello'));
    expect(await second.world.whileTimePasses(repeated)).toMatchObject({ reply: { content: 'hello' } });
    // The gateway was only unreachable: its agent answers too, but late.
    first.world.agent.asked[0]!.answer(saying('late'));
    for (let n = 0; n < 20; n++) await pair.clock.advance(10);
    const replies = ['ConversationOpened', 'MessagePosted', 'TurnReopened', 'AgentReplied'];
    expect(await typesStored()).toEqual(replies);
  });

  it('is asked again at once when the gateway has ended before it was answered', async () => {
    await asking();
    await first.instances.onApplicationShutdown();
    void post(second, true).catch(() => undefined);
    expect(await untilAsked(second)).toBeLessThanOrEqual(100);
  });

  it('is asked again within eight seconds where no client comes back', async () => {
    const { ports, outcomes, settings, clock } = second.world;
    const end = new AbortController();
    const surroundings = { store: ports.events, readModels: ports.readModels, clock };
    const projecting = new ProjectionRunner(conversationsProjection, surroundings).run(end.signal);
    const fresh = new FreshRows(ports.events, ports.readModels, new FlushRequests());
    const sweeper = new TurnSweeper(ports.readModels, fresh, outcomes, settings, clock);
    await asking();
    first.records.away = true;
    const from = clock.now();
    while (second.world.agent.asked.length === 0 && clock.now() - from < 60_000) {
      await second.world.whileTimePasses(sweeper.sweep(...ROUND));
      await second.world.whileTimePasses(clock.advance(sweeper.everyMs));
    }
    expect(clock.now() - from).toBeLessThanOrEqual(8_500);
    end.abort();
    await second.world.whileTimePasses(projecting);
  });
});

describe('a turn that is open while its gateway lives', () => {
  it('is left to it, however long another one waits for its reply', async () => {
    await asking();
    const repeated = post(second, true);
    const from = pair.clock.now();
    while (pair.clock.now() - from < 25_000) await pair.clock.advance(100);
    expect(second.world.agent.asked).toHaveLength(0);
    first.world.agent.asked[0]!.answer(saying('hello'));
    expect(await second.world.whileTimePasses(repeated)).toMatchObject({ reply: { content: 'hello' } });
  });

  it('is left to it while the leases cannot be read', async () => {
    await asking();
    for (const { records } of pair.gateways) records.away = true;
    void post(second, true).catch(() => undefined);
    const from = pair.clock.now();
    while (pair.clock.now() - from < 25_000) await pair.clock.advance(100);
    expect(second.world.agent.asked).toHaveLength(0);
    for (const { records } of pair.gateways) records.away = false;
    while (pair.clock.now() - from < 60_000) await pair.clock.advance(100);
    expect(second.world.agent.asked).toHaveLength(0);
  });

  it('names it in the stream', async () => {
    await asking();
    const [id] = await second.world.threads.holdersSince(PROJECT, 'thread', 0);
    const events = await second.world.ports.events.read(conversationStream(id!));
    expect(events.at(-1)?.event).toMatchObject({ type: 'MessagePosted', owner: first.instances.id });
  });
});
