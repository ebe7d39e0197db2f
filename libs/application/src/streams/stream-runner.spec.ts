import type { Decider } from '@domain/kernel/decider';
import type { Envelope } from '@domain/kernel/envelope';
import {
  AppendOutcomeUnknown,
  type Appended,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  StoreUnavailable,
  StreamMovedOn,
} from '@ports/event-store.port';
import { ENVELOPE } from '@testing/envelopes';
import { FakeClock } from '@testing/fake-clock';
import { FakeIds } from '@testing/fake-ids';
import { ConversationWorld } from '@testing/conversation-world';
import { StreamCache } from './stream-cache.js';
import { StreamRunner } from './stream-runner.js';

type Counted = { readonly type: 'Counted'; readonly at: number };
type Count = { readonly upTo: number };

/** Counts, but not beyond a limit that the command names. */
const counter: Decider<number, Count, Counted> = {
  initial: 0,
  decide({ upTo }, count) {
    if (count > upTo) throw new Error(`already ${count}`);
    return count < upTo ? [{ type: 'Counted', at: 1 }] : [];
  },
  evolve: (count) => count + 1,
};

let world: ConversationWorld;
beforeEach(async () => {
  world = await ConversationWorld.create();
});
afterEach(() => world.close());

let made = 0;
const runner = (store: EventStore = world.ports.events, clock = new FakeClock()) =>
  new StreamRunner(store, new StreamCache(store), clock, new FakeIds(new FakeClock(), ++made));

describe('a stream that is over', () => {
  it('is not kept in memory, and read again when something follows after all', async () => {
    const here = runner();
    const ending: typeof counter = { ...counter, isOver: (count) => count >= 2 };
    await here.run('counter-1', ending, { upTo: 2 }, ENVELOPE);
    expect(here.cache.get('counter-1')).toMatchObject({ state: 1 });
    await here.run('counter-1', ending, { upTo: 2 }, ENVELOPE);
    expect(here.cache.get('counter-1')).toBeUndefined();
    expect(await here.run('counter-1', ending, { upTo: 3 }, ENVELOPE)).toMatchObject({ state: 3, events: [{ type: 'Counted' }] });
  });
});

describe('what caused commands', () => {
  const caused = (name: string): Envelope => ({ $correlationId: `cor_${name}`, $causationId: `req_${name}` });
  const metadata = async () => (await world.ports.events.read('counter-1')).map((event) => event.metadata);

  it('is told whole by the first event, the others have its correlation id', async () => {
    await runner().run('counter-1', counter, [{ upTo: 1 }, { upTo: 2 }], caused('a'));
    await runner().run('counter-1', counter, { upTo: 3 }, caused('a'));
    expect(await metadata()).toEqual([caused('a'), { $correlationId: 'cor_a' }, caused('a')]);
  });

  it('is told by each of several that share an append; one that decides nothing tells nothing', async () => {
    const commands = [{ upTo: 1 }, { upTo: 1 }, { upTo: 2 }];
    await runner().run('counter-1', counter, commands, ['a', 'b', 'c'].map(caused));
    expect(await metadata()).toEqual([caused('a'), caused('c')]);
  });

  it('is told as the first execution had it, however often the same decision is stored', async () => {
    for (const name of ['a', 'b']) {
      await runner().run('counter-1', counter, { upTo: 1 }, caused(name), { commandId: 'one-name', isNew: true });
    }
    expect(await metadata()).toEqual([caused('a')]);
  });

  it('must be known of each command', async () => {
    const here = runner();
    const ran = (async () => here.run('counter-1', counter, [{ upTo: 1 }, { upTo: 2 }], [caused('a')]))();
    await expect(ran).rejects.toThrow('no envelope');
    expect(await metadata()).toEqual([]);
  });
});

describe('a stream that nobody knows yet', () => {
  const many = <T>(make: () => Promise<T>) => Promise.all(Array.from({ length: 20 }, make));

  it('is read from its beginning once, however many come for it, and all see its end', async () => {
    for (let upTo = 1; upTo <= 3; upTo++) await runner().run('counter-1', counter, { upTo }, ENVELOPE);
    const here = runner();
    const reads = jest.spyOn(world.ports.events, 'read');
    expect((await many(() => here.load('counter-1', counter))).map(({ state }) => state)).toEqual(Array(20).fill(3));
    expect(reads.mock.calls.filter(([, options]) => options?.from === 0)).toHaveLength(1);
  });

  it('is read by the next where the first cannot', async () => {
    await runner().run('counter-1', counter, { upTo: 1 }, ENVELOPE);
    const here = runner();
    jest.spyOn(world.ports.events, 'read').mockRejectedValueOnce(new StoreUnavailable('closed'));
    const loads = await Promise.allSettled([1, 2].map(() => here.load('counter-1', counter)));
    expect(loads).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: { state: 1 } }]);
  });

  it('is read by one of those that wait where the first cannot', async () => {
    await runner().run('counter-1', counter, { upTo: 1 }, ENVELOPE);
    const here = runner();
    const reads = jest.spyOn(world.ports.events, 'read').mockRejectedValueOnce(new StoreUnavailable('closed'));
    await Promise.allSettled([1, 2, 3, 4].map(() => here.load('counter-1', counter)));
    expect(reads.mock.calls.filter(([, options]) => options?.from === 0)).toHaveLength(2);
  });
});

describe('a command on a stream', () => {
  it('sees what others appended before it is refused or does nothing', async () => {
    const [here, there] = [runner(), runner()];
    await here.run('counter-1', counter, { upTo: 1 }, ENVELOPE);
    await there.run('counter-1', counter, { upTo: 2 }, ENVELOPE);
    expect(await here.run('counter-1', counter, { upTo: 2 }, ENVELOPE)).toMatchObject({ state: 2, events: [] });
    await expect(here.run('counter-1', counter, { upTo: 1 }, ENVELOPE)).rejects.toThrow('already 2');
  });

  it('that lost the race starts over from the newest state', async () => {
    const [here, there] = [runner(), runner()];
    await here.run('counter-1', counter, { upTo: 1 }, ENVELOPE);
    await there.run('counter-1', counter, { upTo: 2 }, ENVELOPE);
    expect(await here.run('counter-1', counter, { upTo: 9 }, ENVELOPE)).toMatchObject({ state: 3, revision: 2 });
  });

  it('on a stream that is said to be new begins it, or goes by what is there after all', async () => {
    const [here, there, late] = [runner(), runner(), runner()];
    expect(await here.run('counter-1', counter, { upTo: 1 }, ENVELOPE, { isNew: true })).toMatchObject({ state: 1, revision: 0 });
    expect(await there.run('counter-1', counter, { upTo: 5 }, ENVELOPE, { isNew: true })).toMatchObject({
      state: 2,
      revision: 1,
    });
    expect(await late.run('counter-1', counter, { upTo: 2 }, ENVELOPE, { isNew: true })).toMatchObject({ state: 2, events: [] });
  });

  it('is one append with the commands beside it, each seeing the one before', async () => {
    expect(await runner().run('counter-1', counter, [{ upTo: 1 }, { upTo: 2 }], ENVELOPE)).toMatchObject({
      state: 2,
      revision: 1,
    });
  });

  it('stores as many events as it decided, however alike, under its name even when it had to start over', async () => {
    const [here, there] = [runner(), runner()];
    await here.run('counter-1', counter, { upTo: 1 }, ENVELOPE);
    await there.run('counter-1', counter, { upTo: 2 }, ENVELOPE);
    await here.run('counter-1', counter, [{ upTo: 9 }, { upTo: 9 }], ENVELOPE, { commandId: 'one-name' });
    const [, , ...stored] = await world.ports.events.read<Counted>('counter-1');
    const ids = new FakeIds(new FakeClock());
    const named = (index: number) => ids.uuidOf('one-name', 'counter-1', String(index), JSON.stringify(stored[index]?.event));
    expect(stored.map(({ id }) => id)).toEqual([named(0), named(1)]);
  });

  it('goes by the whole of a stream, however long it is', async () => {
    const steps = Array.from({ length: 1_200 }, (_, n) => ({ upTo: n + 1 }));
    await runner().run('counter-1', counter, steps, ENVELOPE);
    expect(await runner().load('counter-1', counter)).toEqual({ state: 1_200, revision: 1_199 });
  });

  it('that has the name of one on another stream is another command', async () => {
    const streams = ['counter-1', 'counter-2'];
    await Promise.all(streams.map((stream) => runner().run(stream, counter, { upTo: 1 }, ENVELOPE, { commandId: 'one-name' })));
    const stored = await Promise.all(streams.map((stream) => world.ports.events.read(stream)));
    expect(new Set(stored.flat().map(({ id }) => id)).size).toBe(2);
  });

  it('that loses every race is given up after five seconds', async () => {
    const clock = new FakeClock();
    const store = Object.create(world.ports.events) as EventStore;
    store.append = (stream: string) => Promise.reject(new StreamMovedOn(stream));
    const ran = runner(store, clock)
      .run('counter-1', counter, { upTo: 1 }, ENVELOPE)
      .catch((error: unknown) => [error, clock.elapsed()] as const);
    const begun = clock.elapsed();
    let over = false;
    void ran.then(() => (over = true));
    while (!over) await clock.advance(50);
    const [error, at] = (await ran) as readonly [unknown, number];
    expect(error).toBeInstanceOf(StreamMovedOn);
    expect(at - begun).toBeGreaterThanOrEqual(5_000);
    expect(at - begun).toBeLessThan(6_000);
  });

  it.each([true, false])('that the store does not take fails at once, be its stream new or not: %j', async (isNew) => {
    const store = Object.create(world.ports.events) as EventStore;
    let asked = 0;
    store.append = () => (asked++, Promise.reject(new StoreUnavailable('the disk is full')));
    await expect(runner(store).run('counter-1', counter, { upTo: 1 }, ENVELOPE, { isNew })).rejects.toThrow(StoreUnavailable);
    expect(asked).toBe(1);
  });

  it('whose outcome stays unknown is given up after four seconds, having waited less than one at a time', async () => {
    const clock = new FakeClock();
    const sent: number[] = [];
    const store = Object.create(world.ports.events) as EventStore;
    store.append = (stream: string) => (sent.push(clock.now()), Promise.reject(new AppendOutcomeUnknown(stream)));
    const begun = clock.now();
    let over = false;
    const ran = runner(store, clock)
      .run('counter-1', counter, { upTo: 1 }, ENVELOPE)
      .catch((error: unknown) => error)
      .finally(() => (over = true));
    while (!over && clock.now() < begun + 60_000) await clock.advance(10);
    expect(await Promise.race([ran, Promise.resolve('still trying')])).toBeInstanceOf(AppendOutcomeUnknown);
    expect(clock.now() - begun).toBeGreaterThanOrEqual(4_000);
    expect(clock.now() - begun).toBeLessThan(5_000);
    expect(Math.max(...sent.slice(1).map((at, index) => at - sent[index]!))).toBeLessThan(1_000);
  });

  it('whose outcome an engine has tried to learn by itself is sent once', async () => {
    const clock = new FakeClock();
    let sent = 0;
    const store = Object.create(world.ports.events) as EventStore;
    store.append = async (stream: string) => {
      sent += 1;
      await clock.advance(4_500);
      throw new AppendOutcomeUnknown(stream);
    };
    const ran = runner(store, clock).run('counter-1', counter, { upTo: 1 }, ENVELOPE);
    await expect(ran).rejects.toBeInstanceOf(AppendOutcomeUnknown);
    expect(sent).toBe(1);
  });

  it('that is decided twice at once under one name is answered as it is stored', async () => {
    const times: Decider<number | null, number, Counted> = {
      initial: null,
      decide: (at, first) => (first === null ? [{ type: 'Counted', at }] : []),
      evolve: (_, { at }) => at,
    };
    const ran = await Promise.all([1, 2].map((at) => runner().run('counter-1', times, at, ENVELOPE, { commandId: 'one-name' })));
    const [stored, ...others] = await world.ports.events.read<Counted>('counter-1');
    expect(others).toEqual([]);
    expect(ran.map(({ state }) => state)).toEqual([stored?.event.at, stored?.event.at]);
  });

  it('whose outcome is unknown is sent again as it was, after ever longer pauses, and stored once', async () => {
    const { events } = world.ports;
    const clock = new FakeClock();
    let silent = 4;
    const sent: string[] = [];
    const pauses: number[] = [];
    let toldAt = 0;
    const store = Object.create(events) as EventStore;
    store.append = async (stream: string, batch: readonly NewEvent[], expected: ExpectedRevision): Promise<Appended> => {
      sent.push(batch.map(({ id }) => id).join());
      if (toldAt > 0) pauses.push(clock.now() - toldAt);
      const appended = await events.append(stream, batch, expected);
      toldAt = clock.now();
      if (silent-- > 0) throw new AppendOutcomeUnknown(stream);
      return appended;
    };
    let over = false;
    const ran = runner(store, clock)
      .run('counter-1', counter, { upTo: 1 }, ENVELOPE)
      .finally(() => (over = true));
    while (!over) await clock.advance(1);
    expect(await ran).toMatchObject({ state: 1, revision: 0 });
    expect(new Set(sent).size).toBe(1);
    expect(sent).toHaveLength(5);
    expect(pauses).toHaveLength(4);
    expect(pauses[0]).toBeGreaterThan(0);
    expect(pauses[3]).toBeGreaterThan(pauses[0]!);
    expect(await events.read('counter-1')).toHaveLength(1);
  });
});
