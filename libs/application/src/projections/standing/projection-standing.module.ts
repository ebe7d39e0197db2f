import { Module } from '@nestjs/common';
import { ListsModule } from '../../read-models/lists.module.js';
import { SkippedEventsModule } from '../../skipped-events/skipped-events.module.js';
import { TasksModule } from '../../tasks/tasks.module.js';
import { RebuildProjectionsHandler } from '../rebuilds/rebuild-projections.handler.js';
import { Rebuilds } from '../rebuilds/rebuilds.js';
import { ProjectionRows } from '../rows/projection-rows.js';
import { GetProjectionRowHandler, ListRowChangesHandler } from '../rows/row.handlers.js';
import { ScanProjectionRowsHandler } from '../rows/scan-projection-rows.handler.js';
import { StaleRows } from '../rows/stale-rows.js';
import { HostRecord } from './host-record.js';
import { ListProjectionsHandler } from './list-projections.handler.js';

/** What any process can say of the projections, and ask of the one that runs them. */
@Module({
  imports: [ListsModule, SkippedEventsModule, TasksModule],
  providers: [
    HostRecord,
    Rebuilds,
    RebuildProjectionsHandler,
    ListProjectionsHandler,
    ProjectionRows,
    StaleRows,
    GetProjectionRowHandler,
    ListRowChangesHandler,
    ScanProjectionRowsHandler,
  ],
  exports: [HostRecord],
})
export class ProjectionStandingModule {}
