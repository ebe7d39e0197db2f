import { Logger } from '@nestjs/common';
import { FakeClock, settle } from '@testing/fake-clock';
import { StubbornWriter } from '@testing/stubborn-writer';
import { AppendOutcomeUnknown, START, StoreUnavailable } from '@ports/event-store.port';
import { EmbeddedEventStore } from '../events/event-store.embedded.js';
import { ReadScheduler } from '../events/read-scheduler.js';
import type { StoredEvents } from '../events/stored-events.js';
import { WriteQueue } from './write-queue.js';

Logger.overrideLogger(false);

describe('requests to the writer', () => {
  let writer: StubbornWriter;
  let clock: FakeClock;
  let queue: WriteQueue;
  let store: EmbeddedEventStore;

  beforeEach(() => {
    writer = new StubbornWriter();
    clock = new FakeClock();
    queue = new WriteQueue(writer, clock);
    store = new EmbeddedEventStore(queue, {} as StoredEvents, 'log', new FakeClock(), 0);
  });

  const append = (stream = 'note-1') => store.append(stream, [{ id: 'id', event: { type: 'Noted', at: 1 } }], 'none');
  const outcomeOf = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

  it('are answered though they come in the turn in which the queue is closed', async () => {
    const closed = queue.close();
    const answered = outcomeOf(append());
    await settle();
    expect(writer.batches).toHaveLength(1);
    writer.answer([1]);
    expect(await answered).toMatchObject({ position: expect.anything() as unknown });
    await closed;
    expect(await outcomeOf(append())).toBeInstanceOf(StoreUnavailable);
  });

  it('are under way before other work of the same turn is begun', async () => {
    const seen: number[] = [];
    setImmediate(() => seen.push(writer.batches.length));
    void append();
    await settle();
    expect(seen).toEqual([1]);
  });

  it('are answered in their order, and other work has its turn between heavy answers', async () => {
    const told: string[] = [];
    const heavy =
      (name: string): (() => void) =>
      () => {
        clock.elapse(5);
        told.push(name);
      };
    const names = Array.from({ length: 20 }, (_, index) => `note-${index}`);
    const appended = names.map((name) => append(name).then(heavy(name)));
    await settle();
    setImmediate(() => told.push('other work'));
    writer.answer(names.map((_, index) => index + 1));
    let drained = false;
    void queue.drained().then(() => (drained = true));
    await settle();
    expect(drained).toBe(false);
    await Promise.all(appended);
    await settle();
    expect(drained).toBe(true);
    expect(told.indexOf('other work')).toBeLessThan(10);
    expect(told.filter((each) => each !== 'other work')).toEqual(names);
  });

  it('that come while the writer has a message in hand and one in store go together as soon as one is answered', async () => {
    const all = ['note-1', 'note-2'].map((stream) => append(stream));
    await settle();
    for (const stream of ['note-3', 'note-4', 'note-5']) {
      all.push(append(stream));
      await settle();
    }
    const sent = () => writer.batches.map(({ length }) => length);
    writer.answer([1]);
    expect(sent()).toEqual([2, 1]);
    writer.answer([2]);
    expect(sent()).toEqual([2, 1, 2]);
    writer.answer([3, 4, 5]);
    expect(await Promise.all(all)).toHaveLength(5);
    for (const stream of ['note-6', 'note-7', 'note-8']) {
      void append(stream);
      await settle();
    }
    expect(sent()).toEqual([2, 1, 2, 1, 1]);
  });

  it('go on their way while more are being made, when they are many', async () => {
    const all = Array.from({ length: 134 }, (_, n) => append(`note-${n}`));
    expect(writer.batches.map(({ length }) => length)).toEqual([64, 64]);
    writer.answer(Array.from({ length: 128 }, (_, n) => n + 1));
    writer.answer([129, 130, 131, 132, 133, 134]);
    expect(await Promise.all(all)).toHaveLength(134);
  });

  it('of one turn travel together, in their order', async () => {
    const first = append('note-1');
    const second = append('note-2');
    await settle();
    expect(writer.batches.map((batch) => batch.map((request) => 'stream' in request && request.stream))).toEqual([
      ['note-1', 'note-2'],
    ]);
    writer.answer([1, 2]);
    expect([await first, await second]).toMatchObject([{ revision: 0 }, { revision: 0 }]);
  });

  it('end as unknown within 5 s when the disk does not answer, and then the store is not ready', async () => {
    const outcome = outcomeOf(append());
    await clock.advance(4999);
    await settle();
    expect(await outcome).toBeInstanceOf(AppendOutcomeUnknown);
    expect(queue.ready).toBe(false);
  });

  it('that were answered in time leave the store ready, also when later ones are under way', async () => {
    const first = append('note-1');
    await settle();
    writer.answer([1]);
    await first;
    await clock.advance(4_000);
    const second = append('note-2');
    await clock.advance(600);
    await settle();
    expect(queue.ready).toBe(true);
    writer.answer([2]);
    await second;
  });

  it('count each for itself: a later one is not given up with an earlier one', async () => {
    const early = outcomeOf(append('note-1'));
    await clock.advance(3000);
    const late = append('note-2');
    await clock.advance(1999);
    await settle();
    expect(await early).toBeInstanceOf(AppendOutcomeUnknown);
    writer.answer([1, 2]);
    expect(await late).toMatchObject({ revision: 0 });
  });

  it('reach the feeds also when their answer came too late', async () => {
    const outcome = outcomeOf(append());
    await clock.advance(5000);
    await settle();
    await outcome;
    const stop = new AbortController();
    const feed = store.subscribe(START, { signal: stop.signal })[Symbol.asyncIterator]();
    const next = feed.next();
    writer.answer([1]);
    expect((await next).value).toMatchObject({ events: [{ stream: 'note-1' }] });
    expect(queue.ready).toBe(true);
    stop.abort();
  });

  it('tell what is true when the disk refuses', async () => {
    const outcomes = [outcomeOf(append()), outcomeOf(append())];
    await settle();
    const reason = 'database or disk is full';
    writer.answer([
      { refused: 'not-stored', reason, disk: true },
      { refused: 'unknown', reason, disk: true },
    ]);
    const [refused, unknown] = await Promise.all(outcomes);
    expect(refused).toBeInstanceOf(StoreUnavailable);
    expect(unknown).toBeInstanceOf(AppendOutcomeUnknown);
    expect(queue.ready).toBe(false);
  });

  it('are looked for in the file when their outcome is unknown', async () => {
    const file: unknown[] = [];
    store = new EmbeddedEventStore(
      queue,
      { read: () => file, reads: new ReadScheduler() } as unknown as StoredEvents,
      'log',
      new FakeClock(),
      0,
    );
    expect(await store.read('note-1')).toEqual([]);
    const outcome = outcomeOf(append());
    await settle();
    writer.answer([{ refused: 'unknown', reason: 'disk I/O error', disk: true }]);
    expect(await outcome).toBeInstanceOf(AppendOutcomeUnknown);
    file.push({ revision: 0 });
    expect(await store.read('note-1')).toEqual([{ revision: 0 }]);
  });

  it('end when the writer is lost: what was sent is unknown, what comes later is not stored', async () => {
    const sent = outcomeOf(append());
    await settle();
    writer.lose('gone');
    expect(await sent).toBeInstanceOf(AppendOutcomeUnknown);
    expect(await outcomeOf(append())).toBeInstanceOf(StoreUnavailable);
    expect(queue.ready).toBe(false);
  });

  it('that may wait are sent once, the newest of a kind', async () => {
    for (const next of [1, 2, 3]) {
      queue.postpone('offsets', { kind: 'consumed', group: 'g', topic: 1, partition: 0, next });
    }
    await settle();
    expect(writer.batches).toEqual([]);
    await clock.advance(1000);
    await settle();
    expect(writer.batches).toEqual([[{ kind: 'consumed', group: 'g', topic: 1, partition: 0, next: 3 }]]);
  });

  it('leave no timer behind', async () => {
    for (let index = 0; index < 100; index += 1) void append(`note-${index}`);
    await settle();
    expect(clock.pending).toBe(1);
    writer.answer(Array.from({ length: 100 }, (_, index) => index + 1));
    await clock.advance(10_000);
    await settle();
    expect(clock.pending).toBe(0);
  });
});
