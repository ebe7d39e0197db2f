import { Injectable } from '@nestjs/common';
import { DomainError } from '@domain/kernel/domain-error';
import type { SortKey } from '@ports/read-models.port';
import { KeyedQueue } from '@kit/keyed-queue';
import { Cursors, keyOfTime, keyOfUnknown, type CursorParam, type ListKind, type ListName } from './cursor.js';
import type { Page, PageRequest, Span } from './page.js';

export type Order = PageRequest['order'];

/** As many as a burst of requests brings at once. */
const MAX_WALKS_WAITING = 200;
/** Enough for a page of 100 where one in five items matches. Anything farther needs a walk. */
const REACH = 500;

/** Rejection of a fetch that would look at more items than it may. */
export class BeyondReach extends Error {}

export interface Found<Item> {
  readonly items: readonly Item[];
  /** The place up to which it looked, if it stopped before it had `limit` items or reached the end of the list. */
  readonly end?: SortKey | null;
}

export interface PagedSource<Item> extends ListName {
  keyOf(item: Item): SortKey;
  /** The place of the item with this id, even if it has left the list; null when unknown. */
  find(id: string): Promise<SortKey | null>;
  /** Set where a page may scan a whole stream: a project has one such scan at a time. */
  readonly walkedBy?: string;
  /** Up to `limit` items after `after`. Rejects with `BeyondReach` if it would have to look at more than `reach` items. */
  fetch(order: Order, after: SortKey | undefined, limit: number, reach?: number): Promise<Found<Item>>;
}

@Injectable()
export class PagedLists {
  private readonly walks = new KeyedQueue();

  constructor(private readonly cursors: Cursors) {}

  /** Refuses with `cursor_invalid`, before the list is looked up: a bad request precedes a missing resource. */
  judge(kind: ListKind, { startingAfter, endingBefore }: PageRequest): void {
    if (startingAfter !== null) this.cursors.sealedIn(kind, startingAfter, 'starting_after');
    if (endingBefore !== null) this.cursors.sealedIn(kind, endingBefore, 'ending_before');
  }

  /** Rejects with `cursor_invalid`, and with `rate_limit_exceeded` where too many walks of the project wait. */
  async page<Item>(source: PagedSource<Item>, request: PageRequest): Promise<Page<Item>> {
    const { walkedBy } = source;
    if (walkedBy === undefined) return this.pageOf(source, request);
    const near = this.mayBeAnywhere(source, request) ? null : await this.nearPageOf(source, request);
    if (near) return near;
    if (this.walks.waiting(walkedBy) >= MAX_WALKS_WAITING) {
      throw new DomainError('rate_limit_exceeded', 'Too many long lists are looked through at once.', { retryAfter: 1 });
    }
    return this.walks.run(walkedBy, () => this.pageOf(source, request));
  }

  /** Null if out of reach. Drops what it found: requests that wait for a walk would fill the memory with it. */
  private async nearPageOf<Item>(source: PagedSource<Item>, request: PageRequest): Promise<Page<Item> | null> {
    const fetch: typeof source.fetch = (order, after, limit) => source.fetch(order, after, limit, REACH);
    try {
      return await this.pageOf({ ...source, fetch }, request);
    } catch (error) {
      if (error instanceof BeyondReach) return null;
      throw error;
    }
  }

  /** Only a sealed cursor tells how far into its stream a place is. */
  private mayBeAnywhere(source: ListName, { created, startingAfter, endingBefore }: PageRequest): boolean {
    const cursors = [[startingAfter, 'starting_after'] as const, [endingBefore, 'ending_before'] as const];
    const isPlace = (text: string, param: CursorParam) => this.cursors.read(source, text, param).at === 'key';
    return created !== undefined || cursors.some(([text, param]) => text !== null && !isPlace(text, param));
  }

  private pageOf<Item>(source: PagedSource<Item>, request: PageRequest): Promise<Page<Item>> {
    const { created, endingBefore } = request;
    const list = created ? within(source, created) : source;
    return endingBefore === null ? this.following(list, request) : this.preceding(list, request, endingBefore);
  }

  private async following<Item>(source: PagedSource<Item>, { startingAfter, order, limit }: PageRequest): Promise<Page<Item>> {
    const after = startingAfter === null ? undefined : await this.resolve(source, startingAfter, 'starting_after', order);
    const found = await source.fetch(order, after, limit + 1);
    const { items, hasMore } = probed(found.items, limit);
    if (!hasMore && found.end) return { items, hasMore: true, nextCursor: this.cursors.encode(source, found.end) };
    return { items, hasMore, nextCursor: hasMore ? this.past(source, items) : null };
  }

  private async preceding<Item>(source: PagedSource<Item>, { order, limit }: PageRequest, endingBefore: string) {
    const reverse = order === 'desc' ? 'asc' : 'desc';
    const before = await this.resolve(source, endingBefore, 'ending_before', reverse);
    const { items: all, end } = await source.fetch(reverse, before, limit + 1);
    const { items: nearest, hasMore: isLonger } = probed(all, limit);
    const hasMore = isLonger || Boolean(end);
    // Without an item to end before, the next request needs the place that was reached.
    if (end && nearest.length === 0) return { items: [], hasMore, nextCursor: this.cursors.encode(source, end) };
    const items = nearest.toReversed();
    return { items, hasMore, nextCursor: (await this.anyPast(source, items, order)) ? this.past(source, items) : null };
  }

  private async anyPast<Item>(source: PagedSource<Item>, items: readonly Item[], order: Order): Promise<boolean> {
    const last = items.at(-1);
    if (last === undefined) return false;
    const { items: next, end } = await source.fetch(order, source.keyOf(last), 1);
    return next.length > 0 || Boolean(end);
  }

  private past<Item>(source: PagedSource<Item>, items: readonly Item[]): string | null {
    const last = items.at(-1);
    return last === undefined ? null : this.cursors.encode(source, source.keyOf(last));
  }

  private async resolve<Item>(source: PagedSource<Item>, text: string, param: CursorParam, order: Order): Promise<SortKey> {
    const pointer = this.cursors.read(source, text, param);
    if (pointer.at === 'key') return pointer.key;
    if (pointer.at === 'time') return keyOfTime(pointer.time, order);
    return (await source.find(pointer.id)) ?? keyOfUnknown(pointer.id, order);
  }
}

const SORT_DIGITS = 20;

/** Zero-padded, so that places compare as text. */
export function sortIdOf(place: number): string {
  return String(place).padStart(SORT_DIGITS, '0');
}

/** A source over items in memory, in any order. `placeOf` finds items that a filter leaves out or that were deleted. */
export function sourceOf<Item extends { readonly id: string }>(
  name: ListName,
  items: readonly Item[],
  keyOf: (item: Item) => SortKey,
  placeOf: PagedSource<Item>['find'] = () => Promise.resolve(null),
): PagedSource<Item> {
  const ascending = items.toSorted((left, right) => compareKeys(keyOf(left), keyOf(right)));
  return {
    ...name,
    keyOf,
    find: (id) => {
      const found = items.find((item) => item.id === id);
      return found ? Promise.resolve(keyOf(found)) : placeOf(id);
    },
    fetch: (order, after, limit) => {
      const sign = order === 'asc' ? 1 : -1;
      const inOrder = order === 'asc' ? ascending : ascending.toReversed();
      const beyond = after ? inOrder.filter((item) => sign * compareKeys(keyOf(item), after) > 0) : inOrder;
      return Promise.resolve({ items: beyond.slice(0, limit) });
    },
  };
}

/** Limits the source to a time span, which is contiguous because lists are in the order of time. */
function within<Item>(source: PagedSource<Item>, { from, before }: Span): PagedSource<Item> {
  return {
    ...source,
    fetch: async (order, after, limit) => {
      const start = keyOfTime(order === 'asc' ? from : before - 1, order);
      const found = await source.fetch(order, after ? further(order, after, start) : start, limit);
      const isWithin = (item: Item) => {
        const { createdAt } = source.keyOf(item);
        return from <= createdAt && createdAt < before;
      };
      return { ...found, items: found.items.filter(isWithin) };
    },
  };
}

function further(order: Order, one: SortKey, other: SortKey): SortKey {
  return compareKeys(one, other) > 0 === (order === 'asc') ? one : other;
}

export function compareKeys(left: SortKey, right: SortKey): number {
  if (left.createdAt !== right.createdAt) return left.createdAt - right.createdAt;
  return left.sortId < right.sortId ? -1 : Number(left.sortId > right.sortId);
}

/** One extra item was requested, to know whether there are more. */
function probed<Item>(found: readonly Item[], limit: number): { items: readonly Item[]; hasMore: boolean } {
  return found.length > limit ? { items: found.slice(0, limit), hasMore: true } : { items: found, hasMore: false };
}
