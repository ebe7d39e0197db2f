import { Module } from '@nestjs/common';
import { Cursors } from './cursor.js';
import { FreshRows } from './fresh-rows.js';
import { PagedLists } from './paged-list.js';
import { GetRowHandler, ListPageHandler } from './row.handlers.js';

/** Reading lists and rows; whether the projections run in this process makes no difference. */
@Module({
  providers: [Cursors, PagedLists, FreshRows, ListPageHandler, GetRowHandler],
  exports: [Cursors, PagedLists, FreshRows],
})
export class ListsModule {}
