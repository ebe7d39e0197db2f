import type { AdminSession } from '../service/admin-session.js';

interface Page<Item> {
  readonly data: readonly Item[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** The items of a list of the admin API, page after page. */
export async function* allPages<Item>(session: AdminSession, path: string): AsyncGenerator<Item> {
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ limit: '100', ...(cursor !== null && { starting_after: cursor }) });
    const page: Page<Item> = await session.get<Page<Item>>(`${path}?${query}`);
    yield* page.data;
    cursor = page.has_more ? page.next_cursor : null;
  } while (cursor !== null);
}
