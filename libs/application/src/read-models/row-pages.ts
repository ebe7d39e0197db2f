import { Injectable } from '@nestjs/common';
import { EventStore } from '@ports/event-store.port';
import type { PageQuery, SortKey } from '@ports/read-models.port';
import type { Page } from '../paging/page.js';
import { PagedLists, type Found, type PagedSource } from '../paging/paged-list.js';
import { FreshRows } from './fresh-rows.js';
import type { ListPage } from './list-page.query.js';

/** What a list needs: its name is that of its rows unless given. */
interface Listed extends Pick<ListPage<object>, 'projection' | 'projectId' | 'page'> {
  readonly list?: string;
}

type Fetch<Item> = (page: Omit<PageQuery, 'filter'>) => Promise<Found<Item>>;

@Injectable()
export class RowPages {
  constructor(
    private readonly store: EventStore,
    private readonly rows: FreshRows,
    private readonly lists: PagedLists,
  ) {}

  async page<Item extends SortKey>(query: Listed, fetch: Fetch<Item>): Promise<Page<Item>> {
    const log = await this.store.identity();
    return this.rows.whole(query.projection, () => this.lists.page(this.source(query, log, fetch), query.page));
  }

  private source<Item extends SortKey>({ projection, projectId, list }: Listed, log: string, fetchPage: Fetch<Item>) {
    const { name } = projection.schema;
    const source: PagedSource<Item> = {
      list: list ?? name,
      idKind: projection.idKind,
      log,
      keyOf: ({ createdAt, sortId }) => ({ createdAt, sortId }),
      find: (id) => this.rows.find(name, projectId, id),
      fetch: (order, after, limit) => fetchPage({ projectId, order, limit, ...(after && { after }) }),
    };
    return source;
  }
}
