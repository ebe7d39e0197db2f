import { SystemClock } from '@adapters/clock.system';
import { EventStoreDBClient } from '@eventstore/db-client';
import { follow } from '@ports/contracts/event-feed.contract';
import { eventually } from '@ports/contracts/eventually';
import { batchOf, freshStream, textsOf } from '@ports/contracts/noted-events';
import { type EventStore, START, StoreUnavailable } from '@ports/event-store.port';
import { EventStoreDouble } from '@testing/event-store-double';
import { type OpenEventStoreDb, openEventStoreDb } from './open-eventstoredb.js';
import { PositionUnusable } from './position.js';

describe('the log of a server', () => {
  let double: EventStoreDouble;
  let open: OpenEventStoreDb;
  let store: EventStore;
  beforeEach(async () => {
    double = await EventStoreDouble.start();
    open = await openEventStoreDb({ eventStoreUrl: double.url, prefix: '' }, new SystemClock());
    ({ store } = open);
    await subscribed(1);
  });
  afterEach(async () => {
    await open.close();
    await double.end();
  });

  async function subscribed(times: number): Promise<void> {
    await eventually(async () => expect((await double.calls()).subscribe).toBe(times), 5_000);
  }

  async function metadataEvents(stream: string): Promise<number> {
    const client = EventStoreDBClient.connectionString(double.url);
    let count = 0;
    for await (const { event } of client.readStream(`$$${stream}`)) count += event ? 1 : 0;
    await client.dispose();
    return count;
  }

  it('is empty to a reader when only the server has written', async () => {
    expect(await store.head()).toBe(START);
  });

  it('has its head behind many events of the server', async () => {
    const { position } = await store.append(freshStream(), batchOf('a'), 'none');
    await double.process.ask('statistics', 700);
    expect(await store.head()).toBe(position);
    await follow(store, START, position);
  });

  it('is asked again for a place where a look fails', async () => {
    const { position } = await store.append(freshStream(), batchOf('a'), 'none');
    await double.misbehave({ call: 'readAll', kind: 'unavailable', every: 2 });
    for (let looks = 0; looks < 10; looks += 1) expect(await store.holds(position)).toBe(true);
  });

  it('goes on behind the event that a deleted stream leaves', async () => {
    const [gone, stream] = [freshStream(), freshStream()];
    await store.append(gone, batchOf('gone'), 'none');
    await store.retire(gone);
    const { position } = await store.append(stream, batchOf('stays'), 'none');
    const events = (await follow(store, START, position)).flatMap((batch) => batch.events);
    expect(textsOf(events)).toEqual(['gone', 'stays']);
    expect(await store.head()).toBe(position);
  });

  it('keeps the newest checkpoints of a reactor, which says so once however many processes write them', async () => {
    const stream = freshStream('reactor');
    const other = await openEventStoreDb({ eventStoreUrl: double.url, prefix: '' }, new SystemClock());
    for (let revision = 0; revision < 40; revision += 1) {
      const writer = revision % 2 === 0 ? store : other.store;
      await writer.append(stream, batchOf(`${revision}`), revision === 0 ? 'none' : revision - 1);
    }
    await eventually(async () => expect(await store.read(stream)).toHaveLength(16), 5_000);
    expect((await store.read(stream, { direction: 'backwards', limit: 1 }))[0]).toMatchObject({ revision: 39 });
    expect(await metadataEvents(stream)).toBeLessThanOrEqual(2);
    await other.close();
  });

  it('is read from its own beginning on, however much another application has written before', async () => {
    for (let count = 0; count < 40; count += 1) {
      await store.append(freshStream(), batchOf(...Array.from({ length: 100 }, (_, index) => `${count}-${index}`)), 'none');
    }
    const other = await openEventStoreDb({ eventStoreUrl: double.url, prefix: 'other-' }, new SystemClock());
    const before = (await double.calls()).readAll;
    expect(await other.store.head()).toBe(START);
    const stop = new AbortController();
    const seen: string[] = [];
    const feed = (async () => {
      for await (const { events } of other.store.subscribe(START, { signal: stop.signal })) seen.push(...textsOf(events));
    })();
    await other.store.append(freshStream(), batchOf('own'), 'none');
    await eventually(() => expect(seen).toEqual(['own']));
    expect((await double.calls()).readAll - before).toBeLessThan(8);
    stop.abort();
    await feed;
    await other.close();
  });

  it('is read once for many feeds, and its head once for many callers', async () => {
    const stop = new AbortController();
    const seen = Array.from({ length: 10 }, () => [] as string[]);
    const feeds = seen.map(async (texts) => {
      for await (const { events } of store.subscribe(START, { signal: stop.signal })) texts.push(...textsOf(events));
    });
    await store.append(freshStream(), batchOf('first'), 'none');
    await eventually(() => seen.forEach((texts) => expect(texts).toEqual(['first'])));
    const before = (await double.calls()).readAll;
    for (let index = 0; index < 30; index += 1) await store.append(freshStream(), batchOf(`${index}`), 'none');
    await eventually(() => seen.forEach((texts) => expect(texts).toHaveLength(31)));
    await Promise.all(Array.from({ length: 50 }, () => store.head()));
    expect((await double.calls()).readAll - before).toBeLessThan(30 * 3);
    stop.abort();
    await Promise.all(feeds);
  });

  it('is not read for the events that its subscription brings', async () => {
    const stop = new AbortController();
    const seen: string[] = [];
    const feed = (async () => {
      for await (const { events } of store.subscribe(START, { signal: stop.signal })) seen.push(...textsOf(events));
    })();
    await store.append(freshStream(), batchOf('first'), 'none');
    await eventually(() => expect(seen).toEqual(['first']));
    const [before, from] = [(await double.calls()).readAll, performance.now()];
    const texts = Array.from({ length: 100 }, (_, index) => `${index}`);
    for (const text of texts) await store.append(freshStream(), batchOf(text), 'none');
    await eventually(() => expect(seen).toEqual(['first', ...texts]));
    const looksByItself = (performance.now() - from) / 250 + 2;
    expect((await double.calls()).readAll - before).toBeLessThanOrEqual(looksByItself);
    stop.abort();
    await feed;
  });

  it('reaches its feeds within 250 ms when the subscription is dead, which is then made anew', async () => {
    const stop = new AbortController();
    const seen: string[] = [];
    const feed = (async () => {
      for await (const { events } of store.subscribe(START, { signal: stop.signal })) seen.push(...textsOf(events));
    })();
    await double.process.ask('subscriptions', 'silent');
    for (let index = 0; index < 4; index += 1) {
      await store.append(freshStream(), batchOf(`${index}`), 'none');
      await eventually(() => expect(seen).toHaveLength(index + 1), 1_000);
    }
    stop.abort();
    await feed;
    await subscribed(2);
  });

  it.each(['end', 'cancelled', 'unavailable'])(
    'is subscribed to again when the server drops the subscription: %s',
    async (kind) => {
      await double.process.ask('subscriptions', kind);
      await subscribed(2);
      const { position } = await store.append(freshStream(), batchOf('after'), 'none');
      expect(textsOf((await follow(store, START, position)).flatMap(({ events }) => events))).toContain('after');
    },
  );

  it('that is closed fails its feeds and ends its waits', async () => {
    const { position } = await store.append('note-1', batchOf('a'), 'none');
    const feeds = [START, position].map(async (from) => {
      for await (const { events } of store.subscribe(from, { signal: new AbortController().signal })) textsOf(events);
    });
    const failures = feeds.map((feed) => feed.catch((error: unknown) => error));
    const changed = store.changed('note-1', 0);
    await follow(store, START, position);
    await open.close();
    for (const failure of failures) expect(await failure).toBeInstanceOf(StoreUnavailable);
    await changed;
    await expect(store.append('note-1', batchOf('b'), 0)).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(store.head()).rejects.toBeInstanceOf(StoreUnavailable);
  });

  it('that has an event without one place fails its feeds, rather than to lose the order', async () => {
    await double.process.ask('switch', { name: 'commit and prepare position are one', on: false });
    const failed = (async () => {
      for await (const { events } of store.subscribe(START, { signal: new AbortController().signal })) {
        expect(events).toEqual([]);
      }
    })().catch((error: unknown) => error);
    await store.append(freshStream(), batchOf('a'), 'none').catch(() => undefined);
    expect(await failed).toBeInstanceOf(PositionUnusable);
  });
});
