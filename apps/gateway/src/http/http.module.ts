import { Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { renderJson } from '@domain/kernel/json-text';
import { Logger } from '@platform/logging/logger';
import { ChangesModule } from '@application/changes/changes.module';
import { ApiKeys } from '@application/projects/api-keys';
import { Clock } from '@ports/clock.port';
import { Ids } from '@ports/ids.port';
import { ProjectsModule } from '@application/projects/projects.module';
import { acceptJsonOnly } from './body/json-body.js';
import { BodyBudget } from './body/body-budget.js';
import { ErrorFilter } from './errors/error.filter.js';
import { MalformedRequests } from './errors/malformed-requests.js';
import { ConnectionLimits } from './hardening/connection-limits.js';
import { Idempotency } from './idempotency/idempotency.js';
import { AdminAdmission } from './pipeline/admin-admission.js';
import { AnswerBudget } from './pipeline/answer-budget.js';
import { ProjectPlaces } from './pipeline/project-places.js';
import { RateLimits } from './pipeline/rate-limits.js';
import { RequestPipeline } from './pipeline/request-pipeline.js';
import { RequestSpans } from './pipeline/request-spans.js';
import { ResponseHooks } from './pipeline/response-hooks.js';
import { PipelineServices } from './pipeline/step.js';
import { OpenStreams } from './server-sent-events/open-streams.js';
import { ServerSentEvents } from './server-sent-events/server-sent-events.js';
import { WaitingLists } from './server-sent-events/waiting-lists.js';
import { WaitingPlaces } from './server-sent-events/waiting-places.js';
import { StreamedAnswers } from './server-sent-events/streamed-answers.js';
import { Routes } from './routes/routes.js';

const PIPELINE_SERVICES = {
  provide: PipelineServices,
  inject: [Ids, Clock, ApiKeys, AdminAdmission, RateLimits, AnswerBudget, Idempotency, ResponseHooks],
  useFactory: (
    ids: Ids,
    clock: Clock,
    apiKeys: ApiKeys,
    admins: AdminAdmission,
    rateLimits: RateLimits,
    answerBudget: AnswerBudget,
    idempotency: Idempotency,
    responses: ResponseHooks,
  ): PipelineServices => {
    const own = { routes: new Routes(), places: new ProjectPlaces() };
    return { ids, clock, apiKeys, admins, rateLimits, answerBudget, idempotency, responses, ...own };
  },
};

@Module({
  imports: [ChangesModule, ProjectsModule],
  providers: [
    PIPELINE_SERVICES,
    RequestPipeline,
    RequestSpans,
    RateLimits,
    BodyBudget,
    AnswerBudget,
    Idempotency,
    ResponseHooks,
    ConnectionLimits,
    MalformedRequests,
    OpenStreams,
    ServerSentEvents,
    StreamedAnswers,
    WaitingPlaces,
    WaitingLists,
  ],
  exports: [Idempotency, OpenStreams, ServerSentEvents, StreamedAnswers, WaitingPlaces, WaitingLists],
})
export class HttpModule {}

/** Must be called before the application is initialised. */
export function installPipeline(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.setReplySerializer(renderJson);
  acceptJsonOnly(fastify, app.get(BodyBudget), app.get(Clock));
  app.get(RequestSpans).install(fastify);
  app.get(RequestPipeline).install(fastify);
  app.get(ConnectionLimits).install(fastify);
  app.get(ResponseHooks).install(fastify);
  app.get(MalformedRequests).install(fastify);
  app.useGlobalFilters(new ErrorFilter(app.get(Logger), app.get(Clock)));
}
