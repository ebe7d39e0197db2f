import { Module } from '@nestjs/common';
import { ListsModule } from '@application/read-models/lists.module';
import { OperatorRoutesModule } from '@composition/operations/operator-routes.module';
import { ApiDocument } from './api-document.js';
import { DocsController } from './docs.controller.js';
import { ListMetrics } from './list-metrics.js';

/** Health, metrics and documentation. */
@Module({
  imports: [ListsModule, OperatorRoutesModule.forRoot('gateway')],
  providers: [ApiDocument, ListMetrics],
  controllers: [DocsController],
})
export class OperationsModule {}
