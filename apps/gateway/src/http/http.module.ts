import { Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { renderJson } from '@domain/kernel/json-text';
import { Logger } from '@platform/logging/logger';
import { Clock } from '@ports/clock.port';
import { ProjectsModule } from '@application/projects/projects.module';
import { Admission } from './admission.js';
import { Arrival } from './arrival.js';
import { Authentication } from './authentication.js';
import { BodyShares } from './body-shares.js';
import { Departure } from './departure.js';
import { ErrorFilter } from './error.filter.js';
import { Idempotency } from './idempotency.js';
import { acceptJsonOnly } from './json-body.js';
import { RateLimits } from './rate-limits.js';
import { AnswerShares } from './answer-shares.js';

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
