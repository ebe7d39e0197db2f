import { Injectable } from '@nestjs/common';
import { EventStore } from '@ports/event-store.port';
import type { PageQuery, SortKey } from '@ports/read-models.port';
import type { Page } from '../paging/page.js';
import { PagedLists, type PagedSource } from '../paging/paged-list.js';
import { FreshRows } from './fresh-rows.js';
import type { ListPage } from './list-page.query.js';
import type { ListTexts } from './list-texts.query.js';

type Fetch<Item> = (query: PageQuery) => Promise<readonly Item[]>;

/** Pages of a projection's rows, in whichever form they are fetched. */
@Injectable()
export class RowPages {
  constructor(
    private readonly store: EventStore,
    private readonly rows: FreshRows,
    private readonly lists: PagedLists,
  ) {}

  async page<Item extends SortKey>(query: ListPage<object> | ListTexts<object>, fetch: Fetch<Item>): Promise<Page<Item>> {
    const log = await this.store.identity();
    return this.rows.whole(query.projection, () => this.lists.page(this.source(query, log, fetch), query.page));
  }

  private source<Item extends SortKey>(query: ListPage<object> | ListTexts<object>, log: string, fetchPage: Fetch<Item>) {
    const { projection, projectId, filter } = query;
    const list = projection.schema.name;
    const source: PagedSource<Item> = {
      list,
      idKind: projection.idKind,
      log,
      keyOf: ({ createdAt, sortId }) => ({ createdAt, sortId }),
      find: (id) => this.rows.find(list, projectId, id),
      fetch: (order, after, limit) => fetchPage({ projectId, filter, order, limit, ...(after && { after }) }),
    };
    return source;
  }
}
