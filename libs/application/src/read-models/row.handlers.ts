import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ReadModels, type ListedRow, type StoredRow } from '@ports/read-models.port';
import type { Page } from '../paging/page.js';
import { DamagedRows } from './damaged-rows.js';
import { FreshRows } from './fresh-rows.js';
import { GetRow } from './get-row.query.js';
import { ListPage } from './list-page.query.js';
import { ListTexts } from './list-texts.query.js';
import { RowPages } from './row-pages.js';

@QueryHandler(ListPage)
export class ListPageHandler implements IQueryHandler<ListPage<object>> {
  constructor(
    private readonly readModels: ReadModels,
    private readonly pages: RowPages,
  ) {}

  execute(query: ListPage<object>): Promise<Page<StoredRow>> {
    const { projection, filter } = query;
    return this.pages.page(query, async (wanted) => ({
      items: await this.readModels.page(projection.schema.name, { ...wanted, filter }),
    }));
  }
}

@QueryHandler(ListTexts)
export class ListTextsHandler implements IQueryHandler<ListTexts<object>> {
  constructor(
    private readonly readModels: ReadModels,
    private readonly pages: RowPages,
    private readonly damaged: DamagedRows,
  ) {}

  async execute(query: ListTexts<object>): Promise<Page<ListedRow>> {
    const { projection, filter, options } = query;
    const { name } = projection.schema;
    const page = await this.pages.page(query, async (wanted) => ({
      items: await this.readModels.list(name, { ...wanted, filter, ...options }),
    }));
    return { ...page, items: this.damaged.without(name, page.items) };
  }
}

@QueryHandler(GetRow)
export class GetRowHandler implements IQueryHandler<GetRow<object>> {
  constructor(private readonly rows: FreshRows) {}

  async execute({ projection, projectId, id }: GetRow<object>): Promise<StoredRow | null> {
    return this.rows.whole(projection, () => this.rows.find(projection.schema.name, projectId, id));
  }
}
