import type { DomainEvent } from '@domain/kernel/decider';
import type { EventStore, Recorded, Revision } from '@ports/event-store.port';
import type { SortKey } from '@ports/read-models.port';
import { BEFORE_ANY, type ListName } from '../paging/cursor.js';
import { BeyondReach, compareKeys, sortIdOf, type Order, type PagedSource } from '../paging/paged-list.js';
import { recordsOf } from './stream-records.js';

interface Told {
  readonly id: string;
  readonly createdAt: number;
}

/** An event's content; the revision in its stream is its sort id. */
export interface Placed<Item extends Told> {
  readonly item: Item;
  readonly key: SortKey;
}

type ItemOf<Event, Item> = (event: Event) => Item | null;

/** A stream's events as a paged list: pages are ranges of the stream. */
export function streamList<Event extends DomainEvent, Item extends Told>(
  name: ListName,
  store: EventStore,
  stream: string,
  itemOf: ItemOf<Event, Item>,
  isWanted: (item: Item) => boolean = () => true,
): PagedSource<Placed<Item>> {
  const all = (order: Order, after?: SortKey, reach?: number) =>
    placed(recordsOf<Event>(store, stream, order, firstRevision(order, after)), itemOf, order, after, reach);
  return {
    ...name,
    keyOf: ({ key }) => key,
    find: async (id) => {
      for await (const { item, key } of all('desc')) if (item.id === id) return key;
      return null;
    },
    fetch: async (order, after, limit, reach) => {
      const page: Placed<Item>[] = [];
      for await (const each of all(order, after, reach)) if (isWanted(each.item) && page.push(each) >= limit) break;
      return { items: page };
    },
  };
}

async function* placed<Event extends DomainEvent, Item extends Told>(
  records: AsyncIterable<Recorded<Event>>,
  itemOf: ItemOf<Event, Item>,
  order: Order,
  after: SortKey | undefined,
  reach = Infinity,
): AsyncGenerator<Placed<Item>> {
  let looked = 0;
  for await (const { event, revision } of records) {
    if (++looked > reach) throw new BeyondReach();
    const item = itemOf(event);
    if (!item) continue;
    const key = { createdAt: item.createdAt, sortId: sortIdOf(revision) };
    if (!after || signOf(order) * compareKeys(key, after) > 0) yield { item, key };
  }
}

/** A key known only by its time has no revision: the whole stream is looked through. */
function firstRevision(order: Order, after: SortKey | undefined): Revision | undefined {
  return after && after.sortId !== BEFORE_ANY ? Number(after.sortId) + signOf(order) : undefined;
}

function signOf(order: Order): 1 | -1 {
  return order === 'asc' ? 1 : -1;
}
