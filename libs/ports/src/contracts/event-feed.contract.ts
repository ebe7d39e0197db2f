import {
  type EventStore,
  type ExpectedRevision,
  type FeedBatch,
  type FeedOptions,
  type Position,
  START,
} from '../event-store.port.js';
import { eventually } from './eventually.js';
import { batchOf, freshStream, textsOf } from './noted-events.js';

/** Collects the events of a feed up to position `until`. */
export async function follow(
  store: EventStore,
  from: Position,
  until: Position,
  wanted: Omit<FeedOptions, 'signal'> = {},
): Promise<FeedBatch[]> {
  const stop = new AbortController();
  const options: FeedOptions = { ...wanted, signal: stop.signal };
  const batches: FeedBatch[] = [];
  for await (const batch of store.subscribe(from, options)) {
    batches.push(batch);
    if (batch.upTo >= until) stop.abort();
  }
  return batches;
}

export function eventFeedContract(storeOf: () => EventStore): void {
  describe('a feed', () => {
    let store: EventStore;
    beforeAll(() => void (store = storeOf()));
    const append = (stream: string, expected: ExpectedRevision, ...texts: string[]) =>
      store.append(stream, batchOf(...texts), expected);

    it('hands out everything after its start, in order, once', async () => {
      const from = await store.head();
      const [left, right] = [freshStream(), freshStream()];
      await append(left, 'none', '1', '2');
      await append(right, 'none', '3');
      const { position } = await append(left, 1, '4');
      const events = (await follow(store, from, position)).flatMap((batch) => batch.events);
      const mine = events.filter(({ stream }) => stream === left || stream === right);
      expect(textsOf(mine)).toEqual(['1', '2', '3', '4']);
      expect(mine.map(({ revision }) => revision)).toEqual([0, 1, 0, 2]);
      expect(events.map((event) => event.position)).toEqual([...new Set(events.map((event) => event.position))].sort());
    });

    it('hands out a long past once, piece by piece', async () => {
      const from = await store.head();
      const stream = freshStream();
      const texts = Array.from({ length: 2500 }, (_, index) => String(index));
      const { position } = await append(stream, 'none', ...texts);
      const events = (await follow(store, from, position)).flatMap((batch) => batch.events);
      expect(textsOf(events.filter((event) => event.stream === stream))).toEqual(texts);
    });

    it('hands out no more at once than asked for', async () => {
      const from = await store.head();
      const stream = freshStream();
      const texts = Array.from({ length: 300 }, (_, index) => String(index));
      const { position } = await append(stream, 'none', ...texts);
      for (const atOnce of [1, 7, 200, 1_000]) {
        const batches = await follow(store, from, position, { atOnce });
        expect(Math.max(...batches.map(({ events }) => events.length))).toBeLessThanOrEqual(atOnce);
        expect(textsOf(batches.flatMap(({ events }) => events).filter((event) => event.stream === stream))).toEqual(texts);
      }
    });

    it('hands out the same events as reading does', async () => {
      const from = await store.head();
      const stream = freshStream();
      const { position } = await append(stream, 'none', 'a', 'b');
      const events = (await follow(store, from, position)).flatMap((batch) => batch.events);
      const mine = events.filter((event) => event.stream === stream);
      expect(JSON.parse(JSON.stringify(mine))).toEqual(JSON.parse(JSON.stringify(await store.read(stream))));
    });

    it('starts strictly after a position in the middle', async () => {
      const stream = freshStream();
      const { position: middle } = await append(stream, 'none', 'a');
      const { position: end } = await append(stream, 0, 'b');
      const events = (await follow(store, middle, end)).flatMap((batch) => batch.events);
      expect(textsOf(events.filter((event) => event.stream === stream))).toEqual(['b']);
    });

    it('goes on with what is appended while it runs', async () => {
      const from = await store.head();
      const stream = freshStream();
      const stop = new AbortController();
      const seen: string[] = [];
      const running = (async () => {
        for await (const { events } of store.subscribe(from, { signal: stop.signal })) {
          seen.push(...textsOf(events.filter((event) => event.stream === stream)));
          if (seen.length === 5) stop.abort();
        }
      })();
      for (let index = 0; index < 5; index += 1) await append(stream, index === 0 ? 'none' : index - 1, String(index));
      await running;
      expect(seen).toEqual(['0', '1', '2', '3', '4']);
    });

    it('sees only the categories asked for, and still moves past the others', async () => {
      const from = await store.head();
      const [wanted, other] = [freshStream('wanted'), freshStream('other')];
      await append(other, 'none', 'no');
      await append(wanted, 'none', 'yes');
      const { position } = await append(other, 0, 'no');
      const batches = await follow(store, from, position, { categories: ['wanted', 'unheard'] });
      expect(textsOf(batches.flatMap(({ events }) => events))).toEqual(['yes']);
      expect((batches.at(-1)?.upTo ?? START) >= position).toBe(true);
    });

    it('leaves out reactor streams unless they are asked for', async () => {
      const from = await store.head();
      const [reactor, stream] = [freshStream('reactor'), freshStream('reactors')];
      await append(reactor, 'none', 'own');
      const { position } = await append(stream, 'none', 'fact');
      const everything = (await follow(store, from, position)).flatMap(({ events }) => events);
      expect(textsOf(everything.filter((event) => [reactor, stream].includes(event.stream)))).toEqual(['fact']);
      const asked = (await follow(store, from, position, { categories: ['reactor'] })).flatMap(({ events }) => events);
      expect(textsOf(asked.filter((event) => event.stream === reactor))).toEqual(['own']);
    });

    it('has handed out every event at or before `upTo`', async () => {
      const from = await store.head();
      const streams = await Promise.all(
        Array.from({ length: 50 }, async (_, index) => {
          const stream = freshStream();
          return { stream, ...(await append(stream, 'none', String(index))) };
        }),
      );
      const end =
        streams
          .map(({ position }) => position)
          .sort()
          .at(-1) ?? START;
      const seen = new Set<string>();
      for (const { events, upTo } of await follow(store, from, end)) {
        for (const event of events) seen.add(event.stream);
        for (const { stream, position } of streams) if (position <= upTo) expect(seen).toContain(stream);
        for (const event of events) expect(event.position <= upTo).toBe(true);
      }
    });

    it('ends without a word when the signal aborts, also before it began', async () => {
      const stop = new AbortController();
      const feed = store.subscribe(await store.head(), { signal: stop.signal })[Symbol.asyncIterator]();
      const next = feed.next();
      stop.abort();
      expect((await next).done).toBe(true);
      const late = store.subscribe(START, { signal: stop.signal })[Symbol.asyncIterator]();
      expect((await late.next()).done).toBe(true);
    });

    it('serves several subscribers at their own pace', async () => {
      const from = await store.head();
      const stream = freshStream();
      const { position } = await append(stream, 'none', 'a', 'b', 'c');
      const feeds = await Promise.all([1, 2, 3].map(() => follow(store, from, position)));
      for (const batches of feeds) {
        const mine = batches.flatMap(({ events }) => events).filter((event) => event.stream === stream);
        expect(textsOf(mine)).toEqual(['a', 'b', 'c']);
      }
    });
    it('wakes a waiting subscriber without being asked', async () => {
      const stop = new AbortController();
      const stream = freshStream();
      const seen: string[] = [];
      const from = await store.head();
      const running = (async () => {
        for await (const { events } of store.subscribe(from, { signal: stop.signal })) {
          seen.push(...textsOf(events.filter((event) => event.stream === stream)));
        }
      })();
      await append(stream, 'none', 'first');
      await eventually(() => expect(seen).toContain('first'));
      await append(stream, 0, 'second');
      await eventually(() => expect(seen).toEqual(['first', 'second']));
      stop.abort();
      await running;
    });
  });
}
