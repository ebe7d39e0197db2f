import { Module } from '@nestjs/common';
import { Cursors } from './cursor.js';
import { FreshRows } from './fresh-rows.js';
import { PagedLists } from './paged-list.js';
import { RowPages } from './row-pages.js';
import { GetRowHandler, ListPageHandler, ListTextsHandler } from './row.handlers.js';
import { Wanted } from './wanted.js';

/** Reading lists and rows; whether the projections run in this process makes no difference. */
@Module({
  providers: [Cursors, PagedLists, Wanted, FreshRows, RowPages, ListPageHandler, ListTextsHandler, GetRowHandler],
  exports: [PagedLists, Wanted, FreshRows],
})
export class ListsModule {}
