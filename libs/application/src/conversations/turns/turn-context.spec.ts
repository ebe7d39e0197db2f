import type { DomainEvent } from '@domain/kernel/decider';
import { AgentFailed } from '@ports/agent.port';
import { ConversationWorld, inThread, PROJECT } from '@testing/conversation-world';
import { settle } from '@testing/fake-clock';
import { collectGarbage } from '@testing/garbage';
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

  it('is which messages got no reply because their turns failed', async () => {
    const failing = (content: string) => {
      world.agent.byDefault = (turn) =>
        turn.content === content ? new AgentFailed('http_error', '400') : saying(`re: ${turn.content}`);
    };
    const again = world.context('key');
    const failed = () =>
      lastTurn()
        .transcript()
        .then((lines) => lines.map((line) => [line.content, line.failed]));
    failing('mended');
    await world.post('mended', inThread('thread'), again).catch(() => undefined);
    failing('lost');
    await world.post('lost').catch(() => undefined);
    await world.post('next');
    expect(await failed()).toEqual([
      ['mended', true],
      ['lost', true],
      ['next', undefined],
    ]);
    await world.post('mended', inThread('thread'), { ...again, isRetry: true });
    expect(await failed()).toEqual([['mended', undefined]]);
    await world.post('last');
    expect((await failed()).map(([, is]) => is)).toEqual([undefined, true, undefined, undefined, undefined]);
  });

  it('is read no more where this process has appended or read it', async () => {
    const said = async (content: string) => {
      await world.post(content, inThread('thread'), world.context(content));
      return (await lastTurn().transcript()).map((line) => line.content);
    };
    await said('one');
    const read = jest.spyOn(world.ports.events, 'read');
    expect(await said('two')).toEqual(['one', 're: one', 'two']);
    expect(read.mock.calls.filter(([stream]) => stream.startsWith('conversation-'))).toEqual([]);
    world = await world.restarted();
    world.agent.byDefault = (turn) => saying(`re: ${turn.content}`);
    expect(await said('three')).toEqual(['one', 're: one', 'two', 're: two', 'three']);
  });

  it('is what was said through two gateways by turns', async () => {
    const { gateways, close } = await ConversationWorld.pair();
    const said: string[] = [];
    for (const [n, { world: here }] of [...gateways, ...gateways, ...gateways].entries()) {
      here.agent.byDefault = () => saying(`re: ${n}`);
      await here.post(`${n}`, inThread('thread'), here.context(`key ${n}`));
      said.push(`${n}`);
      const lines = await here.agent.asked.at(-1)!.turn.transcript();
      expect(lines.map(({ content }) => content)).toEqual(said);
      said.push(`re: ${n}`);
    }
    await close();
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

describe('the transcript of a turn', () => {
  const ALL_OF_A_PROJECT = 16 * 1024 * 1024;
  /** The weight of an open turn with almost no text. */
  const BESIDE_TRANSCRIPT = 16 * 1024;
  const TOO_LONG_TO_KEEP = 'x'.repeat(9_000);

  function fits(weight: number): Promise<boolean | void> {
    const over = new AbortController();
    const entered = Promise.resolve(world.transcripts.enter(PROJECT, weight, over.signal)).catch(() => false);
    over.abort();
    return entered;
  }

  /** The contents that were read and are still referenced. */
  function contentsRead(): { readonly held: () => Promise<number>; readonly count: () => number } {
    const contents: WeakRef<object>[] = [];
    const { events } = world.ports;
    const read = events.read.bind(events);
    events.read = async <E extends DomainEvent>(...[stream, options]: Parameters<typeof read>) => {
      const records = await read<E>(stream, options);
      if (options?.direction !== 'backwards') return records;
      return records.map((record) => {
        const content: object = Object('hi');
        contents.push(new WeakRef(content));
        return { ...record, event: { ...record.event, content } };
      });
    };
    const held = async () => (await collectGarbage(), contents.filter((content) => content.deref()).length);
    return { held, count: () => contents.length };
  }

  it('waits for room, is not in memory meanwhile, and is given when another ends', async () => {
    await world.post(TOO_LONG_TO_KEEP);
    const others = new AbortController();
    void world.transcripts.enter(PROJECT, ALL_OF_A_PROJECT, others.signal);
    let lines: readonly unknown[] = [];
    world.agent.reply = async (turn) => ((lines = await turn.transcript()), saying('at last'));
    const contents = contentsRead();
    const sent = world.post('two');
    while (contents.count() === 0) await settle();
    expect([await contents.held(), lines]).toEqual([0, []]);
    others.abort();
    expect((await sent).reply).toMatchObject({ content: 'at last' });
    expect([lines.length, await contents.held()]).toEqual([3, 3]);
  });

  it.each([
    ['has its reply', saying('hello')],
    ['fails', new AgentFailed('http_error', 'status 500')],
  ])('has room once, however often it is read, until the turn %s', async (_, end) => {
    let fitBeside: unknown[] = [];
    world.agent.reply = async (turn) => {
      await Promise.all([turn.transcript(), turn.transcript()]);
      await turn.transcript();
      const left = ALL_OF_A_PROJECT - BESIDE_TRANSCRIPT - 'four'.length;
      fitBeside = [await fits(left), await fits(left + 1)];
      if (end instanceof Error) throw end;
      return end;
    };
    await world.post('four').catch(() => {});
    expect([fitBeside, await fits(ALL_OF_A_PROJECT)]).toEqual([[true, false], true]);
  });
});
