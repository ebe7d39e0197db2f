import { Module } from '@nestjs/common';
import { Readiness } from '@platform/operations/readiness';
import { ApiDocument } from './api-document.js';
import { DocsController } from './docs.controller.js';
import { HealthController } from './health.controller.js';

/** What operators, their machines and readers of the documentation ask. */
@Module({
  providers: [Readiness, ApiDocument],
  controllers: [HealthController, DocsController],
})
export class OperationsModule {}
