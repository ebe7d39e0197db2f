import { SystemClock } from '@adapters/clock.system';
import { eventually } from '@ports/contracts/eventually';
import { batchOf, freshStream, textsOf } from '@ports/contracts/noted-events';
import { AppendOutcomeUnknown, type EventStore, isRetryableStoreError, StoreUnavailable, START } from '@ports/event-store.port';
import { EventStoreDouble } from '@testing/event-store-double';
import { setTimeout as sleep } from 'node:timers/promises';
import { TcpProxy } from '../../../../tools/engines/tcp-proxy.mjs';
import { type OpenEventStoreDb, openEventStoreDb } from './open-eventstoredb.js';

const SETTLES_WITHIN_MS = 5_000;
const BACK_WITHIN_MS = 2_000;

function following(store: EventStore) {
  const stop = new AbortController();
  const seen: string[] = [];
  const ended = (async () => {
    for await (const { events } of store.subscribe(START, { signal: stop.signal })) seen.push(...textsOf(events));
  })();
  return { seen, stop: () => (stop.abort(), ended) };
}

async function msOf(work: Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work;
  return performance.now() - begun;
}

describe('a connection', () => {
  let double: EventStoreDouble;
  let proxy: TcpProxy;
  let open: OpenEventStoreDb;
  beforeEach(async () => {
    double = await EventStoreDouble.start();
    proxy = await TcpProxy.before(double.process.port);
    open = await openEventStoreDb({ eventStoreUrl: `esdb://127.0.0.1:${proxy.port}?tls=false`, prefix: '' }, new SystemClock());
  });
  afterEach(async () => {
    await open.close();
    await proxy.close();
    await double.end();
  });

  it('that is half-open lets no call wait for more than 5 s, and is well within 2 s of healing', async () => {
    const { store } = open;
    const stream = freshStream();
    await store.append(stream, batchOf('before'), 'none');
    const feed = following(store);
    proxy.mode = 'hold';
    const calls = [store.append(stream, batchOf('during'), 0), store.read(stream), store.head(), store.retire(freshStream())];
    const outcomes = calls.map((call) => call.catch((error: unknown) => error));
    expect(await msOf(Promise.all(outcomes))).toBeLessThan(SETTLES_WITHIN_MS);
    expect(await outcomes[0]).toBeInstanceOf(AppendOutcomeUnknown);
    for (const outcome of outcomes.slice(1)) expect(await outcome).toBeInstanceOf(StoreUnavailable);
    expect(open.health()).toBe(false);
    proxy.mode = 'pass';
    expect(await msOf(store.append(stream, batchOf('after'), 0))).toBeLessThan(BACK_WITHIN_MS);
    await eventually(() => expect(feed.seen).toEqual(['before', 'after']), BACK_WITHIN_MS);
    await eventually(() => expect(open.health()).toBe(true), BACK_WITHIN_MS);
    await feed.stop();
  });

  it('that stays silent while new ones pass is replaced, before an append is given up', async () => {
    const { store } = open;
    const stream = freshStream();
    await store.append(stream, batchOf('before'), 'none');
    const feed = following(store);
    await eventually(() => expect(feed.seen).toEqual(['before']));
    proxy.strand();
    expect(await msOf(store.append(stream, batchOf('after'), 0))).toBeLessThan(SETTLES_WITHIN_MS);
    await eventually(() => expect(feed.seen).toEqual(['before', 'after']), BACK_WITHIN_MS);
    await feed.stop();
  });

  it('that is refused for a while leaves no call without an answer, and feeds go on by themselves', async () => {
    const { store } = open;
    const stream = freshStream();
    await store.append(stream, batchOf('before'), 'none');
    const feed = following(store);
    proxy.mode = 'refuse';
    proxy.cut();
    const read = store.read(stream);
    await sleep(1_000);
    proxy.mode = 'pass';
    expect(textsOf(await read)).toEqual(['before']);
    await store.append(stream, batchOf('after'), 0);
    await eventually(() => expect(feed.seen).toEqual(['before', 'after']), BACK_WITHIN_MS);
    await feed.stop();
  });
});

describe('a server that is killed under load', () => {
  const WRITERS = 16;
  const KILLS = 3;
  let double: EventStoreDouble;
  let open: OpenEventStoreDb;
  beforeAll(async () => {
    double = await EventStoreDouble.start();
    open = await openEventStoreDb({ eventStoreUrl: double.url, prefix: '' }, new SystemClock());
  });
  afterAll(async () => {
    await open.close();
    await double.end();
  });

  it('loses nothing that was acknowledged, and the feeds go on by themselves within 2 s', async () => {
    const stop = new AbortController();
    const feed = following(open.store);
    const written = Array.from({ length: WRITERS }, () => ({ stream: freshStream(), acknowledged: [] as string[] }));
    const writing = written.map(({ stream, acknowledged }) => write(open.store, stream, acknowledged, stop.signal));
    for (let kill = 0; kill < KILLS; kill += 1) {
      await sleep(400);
      await double.process.kill();
      await sleep(200);
      await double.process.restart();
      const marker = `back ${kill}`;
      const back = open.store.append(freshStream(), batchOf(marker), 'none');
      await eventually(() => expect(feed.seen).toContain(marker), BACK_WITHIN_MS);
      await back;
    }
    stop.abort();
    await Promise.all(writing);
    for (const { stream, acknowledged } of written) {
      const stored = textsOf(await open.store.read(stream));
      expect(stored.filter((text) => acknowledged.includes(text))).toEqual(acknowledged);
      expect(new Set(stored).size).toBe(stored.length);
      const ofStream = () => feed.seen.filter((text) => stored.includes(text));
      await eventually(() => expect(ofStream()).toEqual(stored), BACK_WITHIN_MS);
    }
    expect(written.flatMap(({ acknowledged }) => acknowledged).length).toBeGreaterThan(WRITERS * KILLS);
    await feed.stop();
  });

  async function write(store: EventStore, stream: string, acknowledged: string[], signal: AbortSignal): Promise<void> {
    for (let number = 0; !signal.aborted; number += 1) {
      const text = `${stream} ${number}`;
      const batch = batchOf(text);
      const appended = await store.append(stream, batch, number === 0 ? 'none' : number - 1).catch((error: unknown) => error);
      if (appended instanceof Error && !isRetryableStoreError(appended)) throw appended;
      if (appended instanceof Error) return;
      acknowledged.push(text);
    }
  }
});
