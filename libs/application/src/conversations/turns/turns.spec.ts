import { Logger } from '@nestjs/common';
import type { Conversation } from '@domain/conversation/conversation';
import { conversationDecider } from '@domain/conversation/conversation.decider';
import { AgentFailed } from '@ports/agent.port';
import { StoreUnavailable } from '@ports/event-store.port';
import { ENVELOPE, ROUND } from '@testing/envelopes';
import { ConversationWorld, inThread, PROJECT } from '@testing/conversation-world';
import { saying } from '@testing/scripted-turns';
import { IdleSweeper } from '../idle.sweeper.js';
import { conversationStream } from '../state/conversation-stream.js';
import { conversationsProjection } from '../state/conversations.projection.js';
import { ProjectionRunner } from '../../projections/projection-runner.js';
import { FreshRows } from '../../read-models/fresh-rows.js';
import { FlushRequests } from '../../read-models/flush-requests.js';
import { TurnSweeper } from './turn.sweeper.js';

let world: ConversationWorld;
let following: Promise<void>;
let end: AbortController;

beforeEach(async () => {
  world = await ConversationWorld.create();
  project();
});
afterEach(async () => {
  end.abort();
  await following;
  await world.close();
});

function project(): void {
  end = new AbortController();
  const { events: store, readModels } = world.ports;
  const projection = conversationsProjection as unknown as ConstructorParameters<typeof ProjectionRunner>[0];
  following = new ProjectionRunner(projection, { store, readModels, clock: world.clock }).run(end.signal);
}

function turnSweeper(): TurnSweeper {
  const { ports, outcomes, settings, clock } = world;
  const fresh = new FreshRows(ports.events, ports.readModels, new FlushRequests());
  return new TurnSweeper(ports.readModels, fresh, outcomes, settings, clock);
}

async function projected(): Promise<void> {
  const { events, readModels } = world.ports;
  await readModels.define(conversationsProjection.schema);
  await world.whileTimePasses(readModels.reached('conversations', await events.head(), 5_000));
}

describe('the turn sweep', () => {
  it.each([
    ['', 0],
    [' and the clock was set back', 3_600_000],
  ])('asks again, unasked, for a turn whose process died%s', async (_, clockSetBackBy) => {
    world.post('hello').catch(() => {});
    await world.askedTimes(1);
    end.abort();
    await following;
    world.clock.set(world.clock.now() - clockSetBackBy);
    world = await world.restarted();
    project();
    await projected();
    world.agent.byDefault = () => saying('recovered');
    const sweeper = turnSweeper();
    await world.whileTimePasses(sweeper.sweep(...ROUND));
    await world.askedTimes(1);
    await projected();
    await sweeper.sweep(...ROUND);
    const [row] = await world.ports.readModels.page('conversations', {
      projectId: world.context().projectId,
      filter: [],
      order: 'desc',
      limit: 1,
    });
    await world.whileTimePasses(world.ports.events.changed(conversationStream(row!.id), 2));
    expect(await world.typesOf(row!.id)).toEqual(['ConversationOpened', 'MessagePosted', 'TurnReopened', 'AgentReplied']);
    const causes = (await world.ports.events.read(conversationStream(row!.id))).map(({ metadata }) => metadata);
    const { $correlationId } = causes[1]!;
    expect(causes.slice(2)).toEqual([{ ...ENVELOPE, $correlationId }, { $correlationId }]);
  });

  it('asks again for a turn that this process gave back, because the log was away, which only the engine logs', async () => {
    const { events } = world.ports;
    const read = events.read.bind(events);
    const sweeper = turnSweeper();
    await projected();
    await sweeper.sweep(...ROUND);
    let id = '';
    world.agent.reply = async (turn) => {
      id = world.threads.known(PROJECT, 'thread')!;
      world.streams.cache.forget(conversationStream(id));
      events.read = () => Promise.reject(new StoreUnavailable('the log does not answer', true));
      await turn.transcript();
      return saying('never said');
    };
    const error = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    await expect(world.post('hello')).rejects.toThrow(StoreUnavailable);
    expect(error).not.toHaveBeenCalled();
    error.mockRestore();
    events.read = read;
    world.agent.reply = () => Promise.resolve(saying('recovered'));
    await projected();
    await world.whileTimePasses(sweeper.sweep(...ROUND));
    await world.whileTimePasses(events.changed(conversationStream(id), 2));
    expect(await world.typesOf(id)).toEqual(['ConversationOpened', 'MessagePosted', 'TurnReopened', 'AgentReplied']);
  });

  it('leaves a turn alone that is running here', async () => {
    const sent = world.post('hello');
    await world.askedTimes(1);
    await projected();
    await world.whileTimePasses(turnSweeper().sweep(...ROUND));
    world.agent.asked[0]!.answer(saying('hi'));
    const { conversation } = await sent;
    expect(world.agent.asked).toHaveLength(1);
    expect(await world.typesOf(conversation.id)).toEqual(['ConversationOpened', 'MessagePosted', 'AgentReplied']);
  });
});

describe('the idle sweep', () => {
  const endsOf = async (conversationId: string) =>
    (await world.typesOf(conversationId)).filter((type) => type === 'ConversationEnded').length;

  function sweep(): Promise<void> {
    const sweeper = new IdleSweeper(world.ports.readModels, world.threads, world.settings);
    return sweeper.sweep(world.clock.now(), new AbortController().signal, ENVELOPE);
  }

  /** Creates so many conversations that have idled out. */
  async function idle(count: number): Promise<readonly Conversation[]> {
    world.agent.byDefault = () => saying('hi');
    const posts = Array.from({ length: count }, (_, n) => world.post('hello', inThread(`thread ${n}`)));
    const conversations = (await Promise.all(posts)).map(({ conversation }) => conversation);
    await projected();
    await world.clock.advance(world.settings.conversationIdleMs + 5_000);
    return conversations;
  }

  it('stores one end per conversation that idled out, at the instant idling was over', async () => {
    const [conversation] = await idle(1);
    const { id, lastMessageAt } = conversation!;
    await world.whileTimePasses(Promise.all([sweep(), sweep(), world.endOf(id)]));
    expect(await endsOf(id)).toBe(1);
    const { state } = await world.streams.load(conversationStream(id), conversationDecider);
    expect(state).toMatchObject({ endReason: 'idle', endedAt: lastMessageAt! + world.settings.conversationIdleMs });
  });

  it('comes to the end of them in one go, however many idled out, past one that the store refuses', async () => {
    const conversations = await idle(230);
    const refused = conversations[3]!.id;
    const { events } = world.ports;
    const append = events.append.bind(events);
    events.append = (stream, ...rest) =>
      stream === conversationStream(refused) ? Promise.reject(new StoreUnavailable('the disk is full')) : append(stream, ...rest);
    await expect(world.whileTimePasses(sweep())).rejects.toThrow('the disk is full');
    const ends = await Promise.all(conversations.map(({ id }) => endsOf(id)));
    expect(ends.filter((count) => count === 1)).toHaveLength(229);
    events.append = append;
    await world.whileTimePasses(sweep());
    expect(await endsOf(refused)).toBe(1);
  });
});

describe('what the agent is given', () => {
  it('is what this customer wrote before, and nothing of anybody else', async () => {
    world.agent.byDefault = () => saying('noted');
    const as = (externalId: string, phone: string) =>
      ({ ...inThread(externalId), customer: { phone } }) as ReturnType<typeof inThread>;
    const earlier = await world.post('my blue bike', as('first', '+4915100000001'));
    await world.post('my red car', as('other', '+4915100000002'));
    await world.endOf(earlier.conversation.id);
    await projected();
    await world.post('hello again', as('second', '+4915100000001'));
    const { turn } = world.agent.asked.at(-1)!;
    const remembered = turn.memory();
    await world.clock.advance(250);
    const { conversations } = await remembered;
    expect(conversations).toMatchObject([
      {
        endReason: 'explicit',
        lines: [
          { role: 'user', content: 'my blue bike' },
          { role: 'assistant', content: 'noted' },
        ],
      },
    ]);
    expect(turn.customer).toMatchObject({ phone: '+4915100000001' });
    expect(JSON.stringify([conversations, await turn.transcript()])).not.toContain('red car');
  });

  it('is this conversation, oldest message first and the one to answer last', async () => {
    world.agent.byDefault = (turn) => saying(`re: ${turn.content}`);
    await world.post('one');
    await world.post('two');
    const { turn } = world.agent.asked.at(-1)!;
    const lines = await turn.transcript();
    expect(lines.slice(0, 3).map(({ role, content }) => `${role}: ${content}`)).toEqual([
      'user: one',
      'assistant: re: one',
      'user: two',
    ]);
  });

  it('ends with the message to answer, whatever was said after it', async () => {
    const key = 'first question';
    world.agent.byDefault = () => new AgentFailed('http_error', 'status 500');
    await world.post('first', inThread('thread'), world.context(key)).catch(() => {});
    world.agent.byDefault = (turn) => saying(`re: ${turn.content}`);
    await world.post('second');
    await world.post('first', inThread('thread'), world.context(key, true));
    const { turn } = world.agent.asked.at(-1)!;
    expect((await turn.transcript()).map(({ content }) => content)).toEqual(['first']);
  });
});
