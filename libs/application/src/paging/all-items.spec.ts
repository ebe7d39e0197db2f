import { allItems, allPages } from './all-items.js';
import type { Page, PageRequest } from './page.js';

/** A list of so many numbers, whose cursors are the last number. */
function listOf(count: number) {
  const asked: PageRequest[] = [];
  const pageOf = (request: PageRequest): Promise<Page<number>> => {
    asked.push(request);
    const after = Number(request.startingAfter ?? 0);
    const items = Array.from({ length: Math.min(request.limit, count - after) }, (_, index) => after + index + 1);
    const last = items.at(-1) ?? count;
    return Promise.resolve({ items, hasMore: last < count, nextCursor: last < count ? String(last) : null });
  };
  return { asked, pageOf };
}

describe('all items of a list', () => {
  it.each([0, 1, 49, 50, 51, 100, 151])('are each taken once, oldest first, where there are %d', async (count) => {
    const { asked, pageOf } = listOf(count);
    const taken: number[] = [];
    for await (const item of allItems(pageOf)) taken.push(item);
    expect(taken).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    expect(asked.every(({ order, limit }) => order === 'asc' && limit <= 50)).toBe(true);
    expect(asked).toHaveLength(Math.max(1, Math.ceil(count / 50)));
  });

  it('are asked for a page at a time', async () => {
    const { asked, pageOf } = listOf(500);
    for await (const item of allItems(pageOf)) if (item === 50) break;
    expect(asked).toHaveLength(1);
  });

  it('are no page where there are none', async () => {
    const pages: (readonly number[])[] = [];
    for await (const page of allPages(listOf(0).pageOf)) pages.push(page);
    expect(pages).toEqual([]);
  });
});
