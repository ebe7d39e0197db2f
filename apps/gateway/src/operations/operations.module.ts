import { Module } from '@nestjs/common';
import { ListsModule } from '@application/read-models/lists.module';
import { OperatorRoutesModule } from '@composition/operations/operator-routes.module';
import { AdminApiDocument } from './admin-api-document.js';
import { ClientApiDocument } from './client-api-document.js';
import { DocsController } from './docs.controller.js';
import { ListMetrics } from './list-metrics.js';

@Module({
  imports: [ListsModule, OperatorRoutesModule.forRoot('gateway', { awaitsRows: true })],
  providers: [ClientApiDocument, AdminApiDocument, ListMetrics],
  controllers: [DocsController],
})
export class OperationsModule {}
