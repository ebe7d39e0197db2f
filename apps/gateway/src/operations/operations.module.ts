import { Module } from '@nestjs/common';
import { Readiness } from '@platform/operations/readiness';
import { HealthController } from './health.controller.js';

/** What operators and their machines ask. */
@Module({ providers: [Readiness], controllers: [HealthController], exports: [Readiness] })
export class OperationsModule {}
