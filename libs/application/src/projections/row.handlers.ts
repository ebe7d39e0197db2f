import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { EventStore } from '@ports/event-store.port';
import { ReadModels, type StoredRow } from '@ports/read-models.port';
import { FreshRows } from './fresh-rows.js';
import { GetRow } from './get-row.query.js';
import { ListPage } from './list-page.query.js';
import type { Page } from './page.js';
import { PagedLists, type PagedSource } from './paged-list.js';

@QueryHandler(ListPage)
export class ListPageHandler implements IQueryHandler<ListPage<object>> {
  constructor(
    private readonly store: EventStore,
    private readonly readModels: ReadModels,
    private readonly rows: FreshRows,
    private readonly lists: PagedLists,
  ) {}

  async execute(query: ListPage<object>): Promise<Page<StoredRow>> {
    await this.rows.caughtUp(query.projection.schema.name);
    return this.lists.page(this.source(query, await this.store.identity()), query.page);
  }

  private source({ projection, projectId, filter, includeDeleted }: ListPage<object>, log: string): PagedSource<StoredRow> {
    const list = projection.schema.name;
    return {
      list,
      idKind: projection.idKind,
      log,
      keyOf: ({ createdAt, sortId }) => ({ createdAt, sortId }),
      find: (id) => this.rows.find(list, projectId, id),
      fetch: (order, after, limit) =>
        this.readModels.page(list, { projectId, filter, order, limit, includeDeleted, ...(after && { after }) }),
    };
  }
}

@QueryHandler(GetRow)
export class GetRowHandler implements IQueryHandler<GetRow<object>> {
  constructor(private readonly rows: FreshRows) {}

  async execute({ projection, projectId, id }: GetRow<object>): Promise<StoredRow | null> {
    await this.rows.caughtUp(projection.schema.name);
    return this.rows.find(projection.schema.name, projectId, id);
  }
}
