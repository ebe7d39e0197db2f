import { SystemClock } from '@adapters/clock.system';
import { eventually } from '@ports/contracts/eventually';
import { batchOf, freshStream, textsOf } from '@ports/contracts/noted-events';
import { type EventStore, type FeedBatch, StoreUnavailable } from '@ports/event-store.port';
import { EventStoreDouble } from '@testing/event-store-double';
import { type OpenEventStoreDb, openEventStoreDb } from './open-eventstoredb.js';

const NOTICED_WITHIN_MS = 5_000;
const EMPTY = Buffer.alloc(0);

describe('a log that is replaced while a process runs', () => {
  let double: EventStoreDouble;
  let open: OpenEventStoreDb;
  let store: EventStore;
  let told: string[];
  let forgotten: number;
  beforeEach(async () => {
    double = await EventStoreDouble.start();
    told = [];
    const log = { warn: (line: string) => void told.push(line) };
    open = await openEventStoreDb({ eventStoreUrl: double.url, prefix: '' }, new SystemClock(), log);
    ({ store } = open);
    forgotten = 0;
    store.onReplaced(() => (forgotten += 1));
  });
  afterEach(async () => {
    await open.close();
    await double.end();
  });

  function following(from: string) {
    const { signal } = new AbortController();
    const batches: FeedBatch[] = [];
    const ended = (async () => {
      for await (const batch of store.subscribe(from, { signal })) batches.push(batch);
    })();
    ended.catch(() => undefined);
    return { ended, texts: () => textsOf(batches.flatMap(({ events }) => events)) };
  }

  it('by an older copy is forgotten, ends the feeds, and is told of; what is appended then is told by new feeds', async () => {
    const [kept, gone, later] = [freshStream(), freshStream(), freshStream()];
    const { position } = await store.append(kept, batchOf('kept'), 'none');
    const copy = double.copy();
    const name = await store.identity();
    for (let count = 0; count < 40; count += 1) await store.append(gone, batchOf(`${count}`), count === 0 ? 'none' : count - 1);
    const end = await store.head();
    const feed = following(end);
    await double.restore(copy);
    await eventually(() => expect(forgotten).toBe(1), NOTICED_WITHIN_MS);
    await expect(feed.ended).rejects.toThrow(StoreUnavailable);
    expect([await store.identity(), await store.head()]).toEqual([name, position]);
    expect([await store.holds(position), await store.holds(end)]).toEqual([true, false]);
    expect(told).toContainEqual(expect.stringContaining('is an older copy than was read before'));
    const again = following(position);
    await store.append(later, batchOf('later'), 'none');
    await eventually(() => expect(again.texts()).toEqual(['later']), NOTICED_WITHIN_MS);
    expect(forgotten).toBe(1);
  });

  it('by another one is known by the name of that', async () => {
    const name = await store.identity();
    await store.append(freshStream(), batchOf('a', 'b'), 'none');
    await double.restore(EMPTY);
    await eventually(() => expect(forgotten).toBe(1), NOTICED_WITHIN_MS);
    expect(await store.identity()).not.toBe(name);
    expect(told).toContainEqual(expect.stringContaining('is another one than was read before'));
    const { position } = await store.append(freshStream(), batchOf('new'), 'none');
    expect(await store.head()).toBe(position);
  });

  it('is not taken for replaced where its server was killed, or has dropped a stream', async () => {
    const stream = freshStream();
    await store.append(stream, batchOf('gone'), 'none');
    const feed = following(await store.head());
    await store.retire(stream);
    await double.process.kill();
    await double.process.restart();
    await eventually(async () => void (await store.append(freshStream(), batchOf('after'), 'none')), NOTICED_WITHIN_MS);
    await eventually(() => expect(feed.texts()).toEqual(['after']), NOTICED_WITHIN_MS);
    expect(forgotten).toBe(0);
  });
});
