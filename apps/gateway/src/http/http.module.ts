import { Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { renderJson } from '@domain/kernel/json-text';
import { Logger } from '@platform/logging/logger';
import { Clock } from '@ports/clock.port';
import { ProjectsModule } from '@application/projects/projects.module';
import { Admission } from './pipeline/admission.js';
import { Arrival } from './pipeline/arrival.js';
import { Authentication } from './pipeline/authentication.js';
import { BodyShares } from './body/body-shares.js';
import { Departure } from './pipeline/departure.js';
import { ErrorFilter } from './errors/error.filter.js';
import { Idempotency } from './idempotency/idempotency.js';
import { acceptJsonOnly } from './body/json-body.js';
import { RateLimits } from './pipeline/rate-limits.js';
import { AnswerShares } from './pipeline/answer-shares.js';

/** Everything that surrounds a handler. */
@Module({
  imports: [ProjectsModule],
  providers: [Arrival, Authentication, Admission, RateLimits, BodyShares, AnswerShares, Idempotency, Departure],
})
export class HttpModule {}

/** Puts the surroundings in place; must come before the application is initialised. */
export function surround(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.setReplySerializer((payload) => renderJson(payload));
  acceptJsonOnly(fastify, app.get(BodyShares));
  for (const part of [Departure, Arrival, Admission]) app.get<{ install(on: typeof fastify): void }>(part).install(fastify);
  app.useGlobalFilters(new ErrorFilter(app.get(Logger), app.get(Clock)));
}
