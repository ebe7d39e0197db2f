import { Global, Module } from '@nestjs/common';
import { AdminModule } from '@application/admin/admin.module';
import { AuditModule } from '@application/audit/audit.module';
import { ChangesModule } from '@application/changes/changes.module';
import { ProjectsModule } from '@application/projects/projects.module';
import { TasksModule } from '@application/tasks/tasks.module';
import { HttpModule } from '../http/http.module.js';
import { AdminAdmission } from '../http/pipeline/admin-admission.js';
import { RequestAudit } from '../http/pipeline/request-audit.js';
import { CLIENT_CONTROLLERS } from '../v1/client-http.module.js';
import { MessageAnswersModule } from '../v1/message-answers.module.js';
import { CustomerExportModule } from '../v1/customer-export/customer-export.module.js';
import { AdminIssuesController } from './admin-issues.controller.js';
import { AdminSessionsController } from './admin-sessions.controller.js';
import { AdminTasksController } from './admin-tasks.controller.js';
import { ApiKeysController } from './api-keys.controller.js';
import { AuditLogController } from './audit/audit-log.controller.js';
import { AuditedRequests } from './audit/audited-requests.js';
import { StrangerEntries } from './audit/stranger-entries.js';
import { BackupController } from './backup.controller.js';
import { LiveChanges } from './live-changes.js';
import { LogController } from './log/log.controller.js';
import { LogFeed } from './log/log-feed.js';
import { ProjectionsController } from './projections.controller.js';
import { ProjectionRowsController } from './rows/projection-rows.controller.js';
import { ScannedRowsController } from './rows/scanned-rows.controller.js';
import { ProjectStatsController } from './project-stats.controller.js';
import { ProjectsController } from './projects.controller.js';
import { CausesController } from './projects/causes.controller.js';
import { underProject } from './projects/under-project.js';
import { SessionAdmission } from './session-admission.js';
import { SessionStreams } from './session-streams.js';
import { SessionWatch } from './session-watch.js';
import { SkippedEventsController } from './skipped-events/skipped-events.controller.js';
import { StreamController } from './stream.controller.js';

/** Global, because the request pipeline authenticates admins through its `AdminAdmission` and records through its `RequestAudit`. */
@Global()
@Module({
  imports: [
    AdminModule,
    AuditModule,
    ChangesModule,
    CustomerExportModule,
    HttpModule,
    MessageAnswersModule,
    ProjectsModule,
    TasksModule,
  ],
  controllers: [
    AdminSessionsController,
    ProjectsController,
    ApiKeysController,
    ProjectStatsController,
    ProjectionsController,
    ProjectionRowsController,
    SkippedEventsController,
    ScannedRowsController,
    AdminIssuesController,
    BackupController,
    AdminTasksController,
    AuditLogController,
    StreamController,
    LogController,
    ...CLIENT_CONTROLLERS.map(underProject),
    CausesController,
  ],
  providers: [
    { provide: AdminAdmission, useClass: SessionAdmission },
    { provide: RequestAudit, useClass: AuditedRequests },
    StrangerEntries,
    SessionWatch,
    SessionStreams,
    LiveChanges,
    LogFeed,
  ],
  exports: [AdminAdmission, RequestAudit],
})
export class AdminHttpModule {}
