import { SystemClock } from '@adapters/clock.system';
import { eventually } from '@ports/contracts/eventually';
import { batchOf, freshStream, textsOf } from '@ports/contracts/noted-events';
import { START } from '@ports/event-store.port';
import { EventStoreDouble } from '@testing/event-store-double';
import { type OpenEventStoreDb, openEventStoreDb } from './open-eventstoredb.js';

const BACK_WITHIN_MS = 5_000;

let double: EventStoreDouble;
let opened: OpenEventStoreDb;

async function open(eventStoreUrl = double.url): Promise<OpenEventStoreDb> {
  opened = await openEventStoreDb({ eventStoreUrl, prefix: '' }, new SystemClock());
  return opened;
}

/** Milliseconds until an append is acknowledged. */
async function writesAgain(): Promise<number> {
  const begun = performance.now();
  await eventually(async () => void (await opened.store.append(freshStream(), batchOf('again'), 'none')), 3 * BACK_WITHIN_MS);
  return performance.now() - begun;
}

beforeEach(async () => void (double = await EventStoreDouble.cluster()));
afterEach(async () => {
  await opened.close();
  await double.end();
});

describe('a cluster of three nodes', () => {
  const discovered = () => `esdb+discover://127.0.0.1:${double.process.port}?tls=false`;

  it.each([
    ['the first of several addresses', () => double.url, ['leader', 'follower', 'follower']],
    ['the last of several addresses', () => double.url, ['follower', 'follower', 'leader']],
    ['where another is gone', () => double.url, ['gone', 'leader', 'follower']],
    ['where one is silent', () => double.url, ['silent', 'leader', 'follower']],
    ['where one is catching up', () => double.url, ['catching up', 'follower', 'leader']],
    ['by esdb+discover', discovered, ['leader', 'follower', 'follower']],
    ['by esdb+discover of a follower', discovered, ['follower', 'leader', 'follower']],
  ] as const)('is written to at its leader, found %s', async (_, url, states) => {
    await double.nodes(...states);
    const { store } = await open(url());
    const stream = freshStream();
    await store.append(stream, batchOf('written'), 'none');
    expect(textsOf(await store.read(stream))).toEqual(['written']);
  });

  it.each([
    ['resigns', ['follower', 'leader', 'follower']],
    ['is gone', ['gone', 'leader', 'follower']],
    ['is silent', ['silent', 'follower', 'leader']],
  ] as const)('goes on within 5 s where its leader %s, with its feeds', async (_, states) => {
    const { store } = await open();
    const stop = new AbortController();
    const seen: string[] = [];
    const following = (async () => {
      for await (const { events } of store.subscribe(START, { signal: stop.signal })) seen.push(...textsOf(events));
    })();
    await store.append(freshStream(), batchOf('before'), 'none');
    await double.nodes(...states);
    expect(await writesAgain()).toBeLessThan(BACK_WITHIN_MS);
    await eventually(() => expect(seen).toEqual(['before', 'again']), BACK_WITHIN_MS);
    stop.abort();
    await following;
  });
});
