import { JsonText, renderJson } from '@domain/kernel/json-text';
import type { ListedRow, StoredRow } from '@ports/read-models.port';
import type { Page } from '@application/paging/page';

/** The envelope of every list. */
export interface ListResource<Item> {
  readonly object: 'list';
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** A page as a list (api-contract §8.13). */
export function toList<Item, Resource>(page: Page<Item>, toResource: (item: Item) => Resource): ListResource<Resource> {
  return { object: 'list', data: page.items.map(toResource), has_more: page.hasMore, next_cursor: page.nextCursor };
}

/** A page as a list, from items that are JSON text already. */
export function toListText<Item>({ items, hasMore, nextCursor }: Page<Item>, textOf: (item: Item) => string): JsonText {
  const cursor = nextCursor === null ? 'null' : `"${nextCursor}"`;
  return new JsonText(`{"object":"list","data":[${items.map(textOf).join(',')}],"has_more":${hasMore},"next_cursor":${cursor}}`);
}

/** Renders a row: returns its stored JSON text where it has one. */
export function shownBy<Row extends object>(toResource: (stored: StoredRow<Row>) => object): (listed: ListedRow<Row>) => string {
  return (listed) => listed.text ?? renderJson(toResource(listed.stored));
}
