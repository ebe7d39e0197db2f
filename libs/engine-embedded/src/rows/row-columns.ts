import type { ListedRow, PageQuery, SortKey, StoredRow } from '@ports/read-models.port';
import { Listing, asRow, textIn } from './listing.js';

export type RowColumns = readonly [stored: string, listing: string | null];

export function toListed([stored, listing]: RowColumns): ListedRow {
  return listing === null ? asRow(toStored([stored, null])) : new Listing(listing);
}

export function toStored([stored, listing]: RowColumns): StoredRow {
  const row = JSON.parse(stored) as StoredRow;
  return listing === null ? row : { text: textIn(listing), ...row };
}

export function shown<Item extends SortKey>(
  found: readonly RowColumns[][],
  made: (row: RowColumns) => Item,
  query: PageQuery,
): Item[] {
  return inOrder(
    found.map((rows) => rows.map(made)),
    query,
  );
}

/** Merges sorted results; a row found by several branches counts once. */
export function inOrder<Item extends SortKey>([only = [], ...more]: readonly Item[][], { order, limit }: PageQuery): Item[] {
  if (more.length === 0) return only;
  const sign = order === 'desc' ? -1 : 1;
  const sorted = [only, ...more].flat().toSorted((left, right) => sign * compareKeys(left, right));
  return sorted.filter((row, index) => index === 0 || compareKeys(row, sorted[index - 1] ?? row) !== 0).slice(0, limit);
}

export function compareKeys(left: SortKey, right: SortKey): number {
  if (left.createdAt !== right.createdAt) return left.createdAt - right.createdAt;
  if (left.sortId === right.sortId) return 0;
  return left.sortId < right.sortId ? -1 : 1;
}
