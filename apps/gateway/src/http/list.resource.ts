import type { Page } from '@application/projections/page';

/** The envelope of every list. */
export interface ListResource<Item> {
  readonly object: 'list';
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

export function toList<Item, Resource>(page: Page<Item>, toResource: (item: Item) => Resource): ListResource<Resource> {
  return { object: 'list', data: page.items.map(toResource), has_more: page.hasMore, next_cursor: page.nextCursor };
}
