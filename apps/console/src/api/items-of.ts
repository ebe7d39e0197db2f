/** A page of a list, as the API answers it. */
interface ListPage<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

export interface Items<Item> {
  readonly items: readonly Item[];
  /** Whether the list has more items than these. */
  readonly hasMore: boolean;
}

/** The items of a list from its beginning on, page by page, until there are `least` or no more. Rejects where a page does. */
export async function itemsOf<Item>(
  ask: (page: { readonly starting_after?: string }) => Promise<ListPage<Item>>,
  least = Infinity,
): Promise<Items<Item>> {
  const items: Item[] = [];
  let after: string | null = null;
  do {
    const page: ListPage<Item> = await ask(after === null ? {} : { starting_after: after });
    items.push(...page.data);
    after = page.has_more ? page.next_cursor : null;
  } while (after !== null && items.length < least);
  return { items, hasMore: after !== null };
}
