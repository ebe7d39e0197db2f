import { ROUND } from '@testing/envelopes';
import { ConversationWorld, inThread, PROJECT } from '@testing/conversation-world';
import { settle } from '@testing/fake-clock';
import { saying } from '@testing/scripted-turns';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { conversationsProjection } from '../state/conversations.projection.js';
import { FreshRows } from '../../read-models/fresh-rows.js';
import { ProjectionRunner } from '../../projections/projection-runner.js';
import { FlushRequests } from '../../read-models/flush-requests.js';
import { TurnSweeper } from './turn.sweeper.js';

let world: ConversationWorld;
let endOfProjecting: AbortController;
let projecting: Promise<void>;

function project(): void {
  endOfProjecting = new AbortController();
  const { events: store, readModels } = world.ports;
  projecting = new ProjectionRunner(conversationsProjection, { store, readModels, clock: world.clock }).run(
    endOfProjecting.signal,
  );
}

async function projected(): Promise<void> {
  const { events, readModels } = world.ports;
  await readModels.define(conversationsProjection.schema);
  await world.whileTimePasses(readModels.reached('conversations', await events.head(), 5_000));
}

async function pump(): Promise<void> {
  for (let n = 0; n < 50; n++) {
    await settle();
    await nextTurn();
  }
}

const send = (content: string, again = false) =>
  world.post(content, inThread('thread'), world.context(`key ${content}`, again)).catch((error: unknown) => error);
const asked = () => world.agent.asked.map(({ turn }) => turn.content);
const sweep = () => {
  const { ports, outcomes, settings, clock } = world;
  const fresh = new FreshRows(ports.events, ports.readModels, new FlushRequests());
  return world.whileTimePasses(new TurnSweeper(ports.readModels, fresh, outcomes, settings, clock).sweep(...ROUND));
};
async function answer(content: string, reply = saying(`re: ${content}`)): Promise<void> {
  world.agent.asked.find(({ turn }) => turn.content === content)!.answer(reply);
  await pump();
}

/** Three messages in one conversation, the last two stored by the end of their process; the next starts a minute later. */
beforeEach(async () => {
  world = await ConversationWorld.create();
  project();
  const posts = ['one', 'two', 'three'].map((content) => send(content));
  await world.askedTimes(1);
  await settle();
  world.shutdown.callLast();
  await Promise.all(posts);
  await world.replies.settled();
  await projected();
  endOfProjecting.abort();
  await projecting;
  world.clock.set(world.clock.now() + 60_000);
  world = await world.restarted();
  project();
  await projected();
});
afterEach(async () => {
  endOfProjecting.abort();
  await projecting;
  await world.close();
});

describe('turns that a process left open', () => {
  it('are asked for one at a time, beside a new message too', async () => {
    await sweep();
    await pump();
    const fourth = send('four');
    await pump();
    for (let n = 1; n <= 4; n++) {
      expect(asked()).toHaveLength(n);
      await answer(asked()[n - 1]!);
    }
    expect(new Set(asked()).size).toBe(4);
    expect(await fourth).toMatchObject({ reply: { content: 're: four' } });
  });

  it('are asked for one at a time when a client comes for one of them first', async () => {
    const second = send('two', true);
    await world.askedTimes(1);
    await sweep();
    await pump();
    expect(asked()).toEqual(['two']);
    await answer('two');
    expect(await second).toMatchObject({ reply: { content: 're: two' } });
    for (const content of ['one', 'three']) {
      expect(asked().at(-1)).toBe(content);
      await answer(content);
    }
  });

  it('are asked for one at a time when a client waits for a later one meanwhile', async () => {
    await sweep();
    await pump();
    const third = send('three', true);
    await pump();
    for (let n = 1; n <= 3; n++) {
      expect(asked()).toHaveLength(n);
      await answer(asked()[n - 1]!);
    }
    expect(await third).toMatchObject({ reply: { content: 're: three' } });
  });

  it('are found by the oldest of them, though the first is asked again', async () => {
    const before = world.clock.now() - 30_000;
    await sweep();
    await pump();
    await projected();
    expect(await world.ports.readModels.due('conversations', 'openTurnSince', before, 10)).toHaveLength(1);
  });

  it('get no reply behind a hand-off', async () => {
    await sweep();
    await pump();
    await answer('one', saying('a human will help', { type: 'handoff', reason: 'asked', summary: null }));
    expect(asked()).toEqual(['one']);
    const [id] = await world.threads.holdersSince(PROJECT, 'thread', 0);
    const types = await world.typesOf(id!);
    expect(types.slice(-4)).toEqual(['AgentReplied', 'ConversationHandedOff', 'TurnFailed', 'TurnFailed']);
    expect(await send('two', true)).toMatchObject({ code: 'conversation_handed_off' });
  });
});
