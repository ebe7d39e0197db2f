import { Injectable } from '@nestjs/common';
import { DomainError } from '@domain/kernel/domain-error';
import type { SortKey } from '@ports/read-models.port';
import { KeyedQueue } from '@kit/keyed-queue';
import { Cursors, keyOfTime, keyOfUnknown, type CursorParam, type ListKind, type ListName } from './cursor.js';
import type { Page, PageRequest, Span } from './page.js';

export type Order = PageRequest['order'];

/** As many as a burst of requests brings at once: mostly a walk ends where it began. */
const MAX_WALKS_WAITING = 200;
/** As far as a page of a hundred reaches where every fifth is wanted. What lies farther is looked for by a walk. */
const REACH = 500;

/** What a fetch rejects with instead of reaching farther than it may. */
export class BeyondReach extends Error {}

/** Anything that can be walked page by page: rows, a stream's messages, a project's keys. */
export interface PagedSource<Item> extends ListName {
  keyOf(item: Item): SortKey;
  /** The place of the item of this id, also when it has left the list; null when it cannot be told. */
  find(id: string): Promise<SortKey | null>;
  /** The project, where a page may take a walk through a whole stream, of which a project has one at a time. */
  readonly walkedBy?: string;
  /**
   * Up to `limit` items strictly beyond `after` in this order. Where it may pass any number of others it rejects with
   * `BeyondReach` rather than look at more than `reach`.
   */
  fetch(order: Order, after: SortKey | undefined, limit: number, reach?: number): Promise<readonly Item[]>;
}

/** Turns page requests into pages, the same way for every list. */
@Injectable()
export class PagedLists {
  private readonly walks = new KeyedQueue();

  constructor(private readonly cursors: Cursors) {}

  /** Refuses with `cursor_invalid` what points into no such list: a bad request comes before a list that is missing. */
  judge(kind: ListKind, { startingAfter, endingBefore }: PageRequest): void {
    if (startingAfter !== null) this.cursors.sealedIn(kind, startingAfter, 'starting_after');
    if (endingBefore !== null) this.cursors.sealedIn(kind, endingBefore, 'ending_before');
  }

  /**
   * The page a client asked for. Rejects with `cursor_invalid`, and with `rate_limit_exceeded` where too many of a project's
   * walks wait already.
   */
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

  /** Null where it is not within reach. What was found of it is let go: those who wait for a walk would fill the memory with it. */
  private async nearPageOf<Item>(source: PagedSource<Item>, request: PageRequest): Promise<Page<Item> | null> {
    const fetch: typeof source.fetch = (order, after, limit) => source.fetch(order, after, limit, REACH);
    try {
      return await this.pageOf({ ...source, fetch }, request);
    } catch (error) {
      if (error instanceof BeyondReach) return null;
      throw error;
    }
  }

  /** Only a sealed cursor says how far in its stream a place is. */
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
    const { items, hasMore } = probed(await source.fetch(order, after, limit + 1), limit);
    return { items, hasMore, nextCursor: hasMore ? this.past(source, items) : null };
  }

  /** Walks the other way and turns the result round: the page still reads in the list's order. */
  private async preceding<Item>(source: PagedSource<Item>, { order, limit }: PageRequest, endingBefore: string) {
    const reverse = order === 'desc' ? 'asc' : 'desc';
    const before = await this.resolve(source, endingBefore, 'ending_before', reverse);
    const { items: found, hasMore } = probed(await source.fetch(reverse, before, limit + 1), limit);
    const items = found.toReversed();
    return { items, hasMore, nextCursor: (await this.anyPast(source, items, order)) ? this.past(source, items) : null };
  }

  private async anyPast<Item>(source: PagedSource<Item>, items: readonly Item[], order: Order): Promise<boolean> {
    const last = items.at(-1);
    return last !== undefined && (await source.fetch(order, source.keyOf(last), 1)).length > 0;
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

/** The place of an item among those counted with it, in digits that compare as text. */
export function sortIdOf(place: number): string {
  return String(place).padStart(SORT_DIGITS, '0');
}

/**
 * A source over items that are all in memory, in any order. `placeOf` finds those that are not among them,
 * because a filter leaves them out or because they were deleted.
 */
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
      return Promise.resolve(beyond.slice(0, limit));
    },
  };
}

/** What of a source was created then: a list is in the order of time, so it stands together. */
function within<Item>(source: PagedSource<Item>, { from, before }: Span): PagedSource<Item> {
  return {
    ...source,
    fetch: async (order, after, limit) => {
      const start = keyOfTime(order === 'asc' ? from : before - 1, order);
      const items = await source.fetch(order, after ? further(order, after, start) : start, limit);
      return items.filter((item) => {
        const { createdAt } = source.keyOf(item);
        return from <= createdAt && createdAt < before;
      });
    },
  };
}

function further(order: Order, one: SortKey, other: SortKey): SortKey {
  return compareKeys(one, other) > 0 === (order === 'asc') ? one : other;
}

/** The order of every list, ascending. */
export function compareKeys(left: SortKey, right: SortKey): number {
  if (left.createdAt !== right.createdAt) return left.createdAt - right.createdAt;
  return left.sortId < right.sortId ? -1 : Number(left.sortId > right.sortId);
}

/** One item more than wanted was asked for: whether it came says whether there is more. */
function probed<Item>(found: readonly Item[], limit: number): { items: readonly Item[]; hasMore: boolean } {
  return found.length > limit ? { items: found.slice(0, limit), hasMore: true } : { items: found, hasMore: false };
}
