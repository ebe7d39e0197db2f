import { Module } from '@nestjs/common';
import { OperatorRoutesModule } from '@composition/operations/operator-routes.module';
import { ApiDocument } from './api-document.js';
import { DocsController } from './docs.controller.js';

/** Health, metrics and documentation. */
@Module({
  imports: [OperatorRoutesModule.forRoot('gateway')],
  providers: [ApiDocument],
  controllers: [DocsController],
})
export class OperationsModule {}
