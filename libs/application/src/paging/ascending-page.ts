import type { SortKey } from '@ports/read-models.port';
import { compareKeys, type Found, type Order } from './paged-list.js';

interface PageParts<Item> {
  readonly keyOf: (item: Item) => SortKey;
  readonly order: Order;
  readonly after: SortKey | undefined;
  readonly limit: number;
  /** Reads on behind the page, where only the end tells whether the items are whole. */
  readonly toTheEnd?: true;
}

/** A page of items that can only be made from the oldest on, each of the one before. At most a page of them is in memory. */
export async function ascendingPage<Item>(all: AsyncIterable<Item>, parts: PageParts<Item>): Promise<Found<Item>> {
  const { keyOf, order, after, limit, toTheEnd = false } = parts;
  const items: Item[] = [];
  for await (const item of all) {
    const place = after ? compareKeys(keyOf(item), after) : 0;
    if (order === 'asc') {
      if (items.length < limit && (!after || place > 0)) items.push(item);
      if (items.length === limit && !toTheEnd) break;
    } else if (!after || place < 0) {
      items.push(item);
      if (items.length > limit) items.shift();
    } else if (!toTheEnd) break;
  }
  return { items: order === 'asc' ? items : items.toReversed() };
}
