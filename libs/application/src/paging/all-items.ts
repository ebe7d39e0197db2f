import type { Page, PageRequest } from './page.js';

const PAGE = 50;

type PageOf<Item> = (request: PageRequest) => Promise<Page<Item>>;

/** All items of a list, oldest first. The next page is asked for once the caller has taken the one before. */
export async function* allItems<Item>(pageOf: PageOf<Item>): AsyncGenerator<Item> {
  for await (const items of allPages(pageOf)) yield* items;
}

/** The same, a page of at most 50 at a time; none where there are no items. */
export async function* allPages<Item>(pageOf: PageOf<Item>): AsyncGenerator<readonly Item[]> {
  let startingAfter: string | null = null;
  do {
    const { items, nextCursor }: Page<Item> = await pageOf({ limit: PAGE, order: 'asc', startingAfter, endingBefore: null });
    if (items.length > 0) yield items;
    startingAfter = nextCursor;
  } while (startingAfter !== null);
}
