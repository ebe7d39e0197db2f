import type { EventStore, FeedOptions, Position } from '../event-store.port.js';
import { follow } from './event-feed.contract.js';
import { appendTo, appendUnrelated, tells } from './log-head.contract.js';
import { batchOf, freshStream } from './noted-events.js';

const ROUNDS = 50;
const WAYS: readonly Omit<FeedOptions, 'signal'>[] = [
  {},
  { atOnce: 7 },
  { categories: ['note'] },
  { categories: ['reactor', 'unheard'] },
];

export function storedLogContract(storeOf: () => EventStore, restart: () => Promise<EventStore>): void {
  describe('after a restart', () => {
    /** The events of these streams in the feeds from each position, read in each of `WAYS`. */
    async function told(store: EventStore, streams: readonly string[], places: readonly Position[], until: Position) {
      const feeds = places.flatMap((from) => WAYS.map((wanted) => follow(store, from, until, wanted)));
      const ofStreams = (await Promise.all(feeds)).map((batches) =>
        batches.flatMap(({ events }) => events).filter(({ stream }) => streams.includes(stream)),
      );
      return JSON.parse(JSON.stringify(ofStreams)) as object;
    }

    it('is the same log: its name, its order, its feeds, and no position twice', async () => {
      const store = storeOf();
      const name = await store.identity();
      const streams = ['note', 'reactor', 'other', 'note'].map(freshStream);
      const places = [await store.head()];
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const stream of streams.toReversed())
          await store.append(stream, batchOf(`${round}`), round === 0 ? 'none' : round - 1);
        if (round === 1) places.push(await store.head());
      }
      const gone = freshStream();
      const { position: end } = await store.append(gone, batchOf('gone'), 'none');
      const before = await told(store, streams, places, end);
      await store.retire(gone);
      const again = await restart();
      expect(await again.identity()).toBe(name);
      expect((await again.append(freshStream(), batchOf('later'), 'none')).position > end).toBe(true);
      expect(await told(again, streams, places, end)).toEqual(before);
    });

    it('is not taken to have ended before an event of a category that was stored', async () => {
      const store = storeOf();
      const stored = await appendTo(store, 'kept');
      const newest = await appendUnrelated(store);
      const again = await restart();
      const found = await again.head(['kept']);
      expect([found >= stored, found <= newest]).toEqual([true, true]);
      expect((await again.head(['kept', 'unrelated'])) >= newest).toBe(true);
      const later = await appendTo(again, 'kept');
      expect((await again.head(['kept'])) >= later).toBe(true);
      await appendUnrelated(again);
      await tells(again, ['kept'], later);
    });
  });
}
