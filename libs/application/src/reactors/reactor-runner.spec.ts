import { getEventListeners } from 'node:events';
import { Logger } from '@nestjs/common';
import { type FeedBatch, type Recorded, StoreUnavailable } from '@ports/event-store.port';
import { settle } from '@testing/fake-clock';
import { NotesWorld } from '@testing/notes-world';
import { ReactorRunner } from './reactor-runner.js';
import type { Reactor } from '../runtime/reactor.js';

/** Records the texts of its events, and fails on request. */
class Diary implements Reactor {
  readonly name = 'diary';
  readonly categories = ['note'];
  readonly texts: string[] = [];
  failure: (text: string) => Error | null = () => null;

  async handle(events: readonly Recorded[]): Promise<void> {
    for (const { event } of events) {
      const { text } = event as unknown as { text: string };
      const error = this.failure(text);
      if (error) throw error;
      this.texts.push(text);
    }
    await settle();
  }
}

let world: NotesWorld;
let diary: Diary;
beforeEach(async () => {
  diary = new Diary();
  world = await NotesWorld.hosting({ reactors: [diary] });
});
afterEach(() => world.close());

async function write(...texts: readonly string[]): Promise<void> {
  for (const text of texts) await world.write(text);
}

async function written(count: number): Promise<void> {
  while (diary.texts.length < count) await settle();
}

function checkpoints(): Promise<readonly Recorded[]> {
  return world.ports.events.read('reactor-diary');
}

async function restart(): Promise<void> {
  diary = new Diary();
  world = await world.reopened({ reactors: [diary] });
  await world.host.onApplicationBootstrap();
}

describe('a reactor', () => {
  it('is told of every event in order and goes on after a restart where it was', async () => {
    await write('one', 'two', 'three');
    await written(3);
    expect(diary.texts).toEqual(['one', 'two', 'three']);
    await restart();
    await write('four');
    await written(1);
    expect(diary.texts).toEqual(['four']);
  });

  it('keeps its place in the log itself, so that losing the read models sends nothing again', async () => {
    await write('one');
    await written(1);
    await world.projections.rebuild('notes').finished;
    await restart();
    await world.projections.rebuild('notes').finished;
    await write('two');
    await written(1);
    expect(diary.texts).toEqual(['two']);
  });

  it('notes its place at most once a second, and not at all while nothing concerns it', async () => {
    await write('one', 'two');
    await written(2);
    expect(await checkpoints()).toHaveLength(0);
    await world.clock.advance(999);
    expect(await checkpoints()).toHaveLength(0);
    await world.clock.advance(1);
    while ((await checkpoints()).length === 0) await settle();
    await world.ports.events.append('song-1', [{ id: world.ids.uuid(), event: { type: 'SongSung', at: 1 } }], 'none');
    await world.clock.advance(60_000);
    expect(await checkpoints()).toHaveLength(1);
  });

  it('notes its place without waiting once a thousand events were taken', async () => {
    const amended = Array.from({ length: 999 }, () => ({ type: 'NoteAmended', at: 1, text: 'more' }) as const);
    await world.append('cus_1', { type: 'NoteWritten', at: 1, projectId: 'prj_1', text: 'one' }, ...amended);
    await written(1_000);
    for (let turn = 0; turn < 100 && (await checkpoints()).length === 0; turn++) await settle();
    expect(await checkpoints()).toHaveLength(1);
  });

  it('is told again after an outage, and of nothing less; how often it began again is counted', async () => {
    let outages = 3;
    diary.failure = (text) => (text === 'two' && outages-- > 0 ? new Error('out of reach') : null);
    await write('one', 'two', 'three');
    while (!diary.texts.includes('three')) await world.clock.advance(100);
    expect([...new Set(diary.texts)]).toEqual(['one', 'two', 'three']);
    expect(world.effects.failures().restarts).toEqual({ diary: 3 });
  });

  it('waits longer from time to time while only its place cannot be noted', async () => {
    const { events } = world.ports;
    const append = events.append.bind(events);
    const refusedAt: number[] = [];
    events.append = (stream, batch, expected) => {
      if (stream !== 'reactor-diary') return append(stream, batch, expected);
      refusedAt.push(world.clock.now());
      return Promise.reject(new StoreUnavailable('the disk is full'));
    };
    await write('one');
    while (refusedAt.length < 5) await world.clock.advance(100);
    const pauses = refusedAt.slice(1).map((at, index) => at - (refusedAt[index] ?? 0));
    expect(pauses.map((pause) => Math.floor(pause / 100) * 100)).toEqual([1_100, 1_200, 1_400, 1_800]);
    events.append = append;
    while ((await checkpoints()).length === 0) await world.clock.advance(100);
  });

  it('passes over an event that it can never take, counts it and tells the log which it was', async () => {
    const told = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    diary.failure = (text) => (text === 'two' ? new TypeError('two is not a number') : null);
    await write('one');
    const [poison] = await world.ports.events.read(`note-${await world.write('two')}`);
    await write('three');
    while (!diary.texts.includes('three')) await settle();
    expect([...new Set(diary.texts)]).toEqual(['one', 'three']);
    expect(world.effects.failures().skippedEvents).toEqual({ diary: 1 });
    expect(told.mock.calls).toEqual([[expect.stringContaining(`skipped event ${poison?.id} `)]]);
    told.mockRestore();
  });

  it('that passes over an event is told in order of those behind it, and again of one that met an outage, and counts it once', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    let outages = 3;
    diary.failure = (text) => {
      if (text === 'two') return new TypeError('two is not a number');
      return text === 'three' && outages-- > 0 ? new Error('out of reach') : null;
    };
    const amended = ['two', 'three', 'four'].map((text) => ({ type: 'NoteAmended', at: 1, text }) as const);
    await world.append('cus_1', { type: 'NoteWritten', at: 1, projectId: 'prj_1', text: 'one' }, ...amended);
    while (diary.texts.at(-1) !== 'four') await world.clock.advance(100);
    expect(diary.texts.filter((text) => text !== 'one')).toEqual(['three', 'four']);
    expect(world.effects.failures().skippedEvents).toEqual({ diary: 1 });
    expect(logged.mock.calls).toHaveLength(1);
    logged.mockRestore();
  });

  it('finds the event that it cannot take among many with few tries', async () => {
    const told = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const handle = jest.spyOn(diary, 'handle');
    diary.failure = (text) => (text === '300' ? new TypeError('300 is too many') : null);
    const amended = Array.from({ length: 1_000 }, (_, n) => ({ type: 'NoteAmended', at: 1, text: `${n}` }) as const);
    await world.append('cus_1', { type: 'NoteWritten', at: 1, projectId: 'prj_1', text: 'one' }, ...amended);
    while (!diary.texts.includes('999')) await settle();
    expect(new Set(diary.texts).size).toBe(1_000);
    expect(handle.mock.calls.length).toBeLessThan(30);
    told.mockRestore();
  });

  it('with partitions goes on beside one that takes long, and after a restart is told again of what was not done', async () => {
    await world.close();
    let giveUp = (_: Error): void => undefined;
    const stuck = new Promise<void>((_, reject) => (giveUp = reject));
    const told = diary.handle.bind(diary);
    const handle = (events: readonly Recorded[]) =>
      events.some(({ stream }) => stream === 'note-cus_stuck') ? stuck : told(events);
    const partitioned = {
      name: diary.name,
      categories: diary.categories,
      partitionKey: ({ stream }: Recorded) => stream,
      handle,
    };
    world = await NotesWorld.hosting({ reactors: [partitioned] });
    const note = { type: 'NoteWritten', at: 1, projectId: 'prj_1' } as const;
    await world.append('cus_stuck', { ...note, text: 'stuck' });
    await world.append('cus_1', { ...note, text: 'one' });
    await written(1);
    await world.append('cus_1', { type: 'NoteAmended', at: 1, text: 'two' });
    await written(2);
    giveUp(new Error('out of reach'));
    world.shutdown.begin();
    await restart();
    await written(3);
    expect(diary.texts).toEqual(['stuck', 'one', 'two']);
  });

  it('makes way for another process that has moved it on', async () => {
    await write('one');
    await written(1);
    const event = { type: 'ReactorMoved', at: 1, position: await world.ports.events.head() };
    await world.ports.events.append('reactor-diary', [{ id: world.ids.uuid(), event }], 'none');
    await world.clock.advance(5_000);
    await write('two');
    await world.clock.advance(5_000);
    expect(diary.texts).toEqual(['one', 'two']);
    expect((await checkpoints()).map(({ revision }) => revision)).toEqual([0, 1]);
  });

  it('has noted its place when the end is over, however long the disk takes', async () => {
    const { events } = world.ports;
    const append = events.append.bind(events);
    let store = (): void => undefined;
    events.append = (stream, batch, expected) => {
      if (stream !== 'reactor-diary') return append(stream, batch, expected);
      return new Promise((resolve) => (store = () => resolve(append(stream, batch, expected))));
    };
    await write('one');
    await written(1);
    world.shutdown.begin();
    let isOver = false;
    const ending = world.host.beforeApplicationShutdown().then(() => (isOver = true));
    for (let turn = 0; turn < 20; turn++) await settle();
    expect(isOver).toBe(false);
    store();
    await ending;
    expect(await checkpoints()).toHaveLength(1);
  });

  it('tells the log that it goes on when it could note its place again', async () => {
    const told = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    let outages = 3;
    diary.failure = () => (outages-- > 0 ? new Error('out of reach') : null);
    await write('one');
    while ((await checkpoints()).length === 0) await world.clock.advance(100);
    await settle();
    expect(told.mock.calls.flat()).toEqual([expect.stringContaining('out of reach'), 'goes on']);
    told.mockRestore();
  });

  it('takes nothing new once the end has begun', async () => {
    await write('one');
    await written(1);
    world.shutdown.begin();
    await settle();
    await write('two');
    await world.projected();
    expect(diary.texts).toEqual(['one']);
  });

  it('follows again when its feed breaks', async () => {
    const { events } = world.ports;
    const subscribe = events.subscribe.bind(events);
    let breaks = 2;
    events.subscribe = async function* (from, options): AsyncGenerator<FeedBatch> {
      if (options.categories?.includes('note') && breaks-- > 0) throw new Error('broken');
      yield* subscribe(from, options);
    };
    await restart();
    await write('one');
    while (diary.texts.length === 0) await world.clock.advance(100);
    expect(diary.texts).toEqual(['one']);
  });

  it('whose feed breaks lets what takes long know, and keeps nobody listening for the end of the process', async () => {
    await world.close();
    const told: AbortSignal[] = [];
    const handle = (_: readonly Recorded[], signal: AbortSignal) => {
      told.push(signal);
      return new Promise<void>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
    };
    const partitioned = {
      name: diary.name,
      categories: diary.categories,
      partitionKey: ({ stream }: Recorded) => stream,
      handle,
    };
    world = await NotesWorld.open({});
    const { events } = world.ports;
    const subscribe = events.subscribe.bind(events);
    events.subscribe = async function* (from, options): AsyncGenerator<FeedBatch> {
      for await (const batch of subscribe(from, options)) {
        yield batch;
        if (batch.events.length > 0) throw new StoreUnavailable('out of reach');
      }
    };
    await write('one');
    const runner = new ReactorRunner(partitioned, { store: events, clock: world.clock, ids: world.ids });
    const end = new AbortController();
    const running = runner.run(end.signal);
    while (told.length < 3) await world.clock.advance(100);
    expect(told.map(({ aborted }) => aborted).slice(0, 2)).toEqual([true, true]);
    expect(getEventListeners(end.signal, 'abort').length).toBeLessThan(3);
    end.abort();
    await running;
  });
});
