import { type EventStore, type Position, START } from '../event-store.port.js';
import { follow } from './event-feed.contract.js';
import { eventually } from './eventually.js';
import { batchOf, freshStream } from './noted-events.js';

/** More events than an engine reads to find the newest one. */
const MANY = 60;

/** Appends two events to a new stream of the category and returns the position of the second. */
export async function appendTo(store: EventStore, category: string): Promise<Position> {
  return (await store.append(freshStream(category), batchOf('a', 'b'), 'none')).position;
}

export async function appendUnrelated(store: EventStore): Promise<Position> {
  let position = await appendTo(store, 'unrelated');
  for (let count = 1; count < MANY; count += 1) position = await appendTo(store, 'unrelated');
  return position;
}

/** Resolves once the store reports this position as head of the categories, which may take a while. */
export function tells(store: EventStore, categories: readonly string[], position: Position, withinMs?: number): Promise<void> {
  return eventually(async () => expect(await store.head(categories)).toBe(position), withinMs);
}

export function logHeadContract(storeOf: () => EventStore): void {
  describe('the head', () => {
    it('is the position of the newest event', async () => {
      const position = await appendTo(storeOf(), 'note');
      expect(await storeOf().head()).toBe(position);
    });

    it('of categories is the position of the newest event of one of them', async () => {
      const store = storeOf();
      const left = await appendTo(store, 'left');
      const right = await appendTo(store, 'right');
      await tells(store, ['left'], left);
      await tells(store, ['right'], right);
      await tells(store, ['right', 'left'], right);
    });

    it('of categories stays where it is while events of others are appended', async () => {
      const store = storeOf();
      const position = await appendTo(store, 'left');
      const unrelated = await appendUnrelated(store);
      await tells(store, ['left'], position);
      await tells(store, ['unrelated', 'left'], unrelated);
      expect(await store.head()).toBe(unrelated);
    });

    it('of categories is never before an event that was appended, whatever is appended with it', async () => {
      const store = storeOf();
      for (let round = 0; round < 20; round += 1) {
        const others = Array.from({ length: 5 }, () => appendTo(store, 'unrelated'));
        const position = await appendTo(store, 'left');
        expect((await store.head(['left'])) >= position).toBe(true);
        await Promise.all(others);
      }
    });

    it('is as many events further as were appended, where positions tell', async () => {
      const before = await storeOf().head();
      const position = await appendTo(storeOf(), 'note');
      expect([2, null]).toContain(storeOf().countBetween(before, position));
      const passed = storeOf().countBetween(position, before);
      expect(passed ?? 0).toBe(0);
    });

    it('is a place that the log holds, as are its beginning and every place that a feed has told', async () => {
      const store = storeOf();
      const first = await appendTo(store, 'note');
      const position = await appendTo(store, 'unrelated');
      const told = (await follow(store, first, position, { categories: ['note'] })).map(({ upTo }) => upTo);
      for (const place of [START, first, position, ...told]) expect(await store.holds(place)).toBe(true);
      expect(await store.holds(String(10n ** 18n).padStart(20, '0'))).toBe(false);
    });

    it('of categories without an event is not beyond the newest event of all', async () => {
      const store = storeOf();
      const position = await appendTo(store, 'left');
      expect((await store.head(['unheard'])) <= position).toBe(true);
    });
  });
}
