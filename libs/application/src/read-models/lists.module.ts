import { Module } from '@nestjs/common';
import { Cursors } from '../paging/cursor.js';
import { PagedLists } from '../paging/paged-list.js';
import { DamagedRows } from './damaged-rows.js';
import { FlushRequests } from './flush-requests.js';
import { FreshRows } from './fresh-rows.js';
import { RowPages } from './row-pages.js';
import { GetRowHandler, ListPageHandler, ListTextsHandler } from './row.handlers.js';

@Module({
  providers: [
    Cursors,
    PagedLists,
    FlushRequests,
    FreshRows,
    RowPages,
    DamagedRows,
    ListPageHandler,
    ListTextsHandler,
    GetRowHandler,
  ],
  exports: [PagedLists, FlushRequests, FreshRows, RowPages, DamagedRows],
})
export class ListsModule {}
