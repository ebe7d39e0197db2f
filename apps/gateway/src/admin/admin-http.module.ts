import { Global, Module } from '@nestjs/common';
import { AdminModule } from '@application/admin/admin.module';
import { ProjectsModule } from '@application/projects/projects.module';
import { AdminAdmission } from '../http/pipeline/admin-admission.js';
import { AdminSessionsController } from './admin-sessions.controller.js';
import { ApiKeysController } from './api-keys.controller.js';
import { BackupController } from './backup.controller.js';
import { ProjectionsController } from './projections.controller.js';
import { ProjectsController } from './projects.controller.js';
import { SessionAdmission } from './session-admission.js';

/** The admin API. Global, because the request pipeline authenticates admins through its `AdminAdmission`. */
@Global()
@Module({
  imports: [AdminModule, ProjectsModule],
  controllers: [AdminSessionsController, ProjectsController, ApiKeysController, ProjectionsController, BackupController],
  providers: [{ provide: AdminAdmission, useClass: SessionAdmission }],
  exports: [AdminAdmission],
})
export class AdminHttpModule {}
