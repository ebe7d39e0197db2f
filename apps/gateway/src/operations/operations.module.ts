import { Module } from '@nestjs/common';
import { HealthController } from '@composition/operations/health.controller';
import { Readiness } from '@platform/operations/readiness';
import { ApiDocument } from './api-document.js';
import { DocsController } from './docs.controller.js';

/** Health, metrics and documentation. */
@Module({
  providers: [Readiness, ApiDocument],
  controllers: [HealthController, DocsController],
})
export class OperationsModule {}
