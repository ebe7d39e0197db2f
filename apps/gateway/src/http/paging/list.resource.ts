import { JsonText, renderJson } from '@domain/kernel/json-text';
import type { ListedRow, StoredRow } from '@ports/read-models.port';
import type { Page } from '@application/paging/page';

export interface ListResource<Item> {
  readonly object: 'list';
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

export function toList<Item, Resource>(page: Page<Item>, toResource: (item: Item) => Resource): ListResource<Resource> {
  return { object: 'list', data: page.items.map(toResource), has_more: page.hasMore, next_cursor: page.nextCursor };
}

export function toListText<Item>({ items, hasMore, nextCursor }: Page<Item>, textOf: (item: Item) => string): JsonText {
  const cursor = nextCursor === null ? 'null' : `"${nextCursor}"`;
  return new JsonText(`{"object":"list","data":[${items.map(textOf).join(',')}],"has_more":${hasMore},"next_cursor":${cursor}}`);
}

export function shownBy<Row extends object>(toResource: (stored: StoredRow<Row>) => object): (listed: ListedRow<Row>) => string {
  return (listed) => listed.text ?? renderJson(toResource(listed.stored));
}
