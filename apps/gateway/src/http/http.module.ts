import { Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { renderJson } from '@domain/kernel/json-text';
import { Logger } from '@platform/logging/logger';
import { Clock } from '@ports/clock.port';
import { ProjectsModule } from '@application/projects/projects.module';
import { acceptJsonOnly } from './body/json-body.js';
import { BodyBudget } from './body/body-budget.js';
import { ErrorFilter } from './errors/error.filter.js';
import { MalformedRequests } from './errors/malformed-requests.js';
import { ConnectionLimits } from './hardening/connection-limits.js';
import { Idempotency } from './idempotency/idempotency.js';
import { AnswerBudget } from './pipeline/answer-budget.js';
import { RateLimits } from './pipeline/rate-limits.js';
import { RequestPipeline } from './pipeline/request-pipeline.js';
import { ResponseHooks } from './pipeline/response-hooks.js';

/** What every request passes before its handler, and every answer behind it. */
@Module({
  imports: [ProjectsModule],
  providers: [
    RequestPipeline,
    RateLimits,
    BodyBudget,
    AnswerBudget,
    Idempotency,
    ResponseHooks,
    ConnectionLimits,
    MalformedRequests,
  ],
})
export class HttpModule {}

/** Installs the pipeline; must come before the application is initialised. */
export function installPipeline(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.setReplySerializer(renderJson);
  acceptJsonOnly(fastify, app.get(BodyBudget), app.get(Clock));
  app.get(RequestPipeline).install(fastify);
  app.get(ConnectionLimits).install(fastify);
  app.get(ResponseHooks).install(fastify);
  app.get(MalformedRequests).install(fastify);
  app.useGlobalFilters(new ErrorFilter(app.get(Logger), app.get(Clock)));
}
