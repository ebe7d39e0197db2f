import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKeys } from '@application/projects/api-keys';
import type { Clock } from '@ports/clock.port';
import type { Ids } from '@ports/ids.port';
import type { Idempotency } from '../idempotency/idempotency.js';
import type { Routes } from '../routes/routes.js';
import type { AdminAdmission } from './admin-admission.js';
import type { AnswerBudget } from './answer-budget.js';
import type { ProjectPlaces } from './project-places.js';
import type { RateLimits } from './rate-limits.js';

/** What steps work with. */
export interface PipelineServices {
  readonly ids: Ids;
  readonly clock: Clock;
  readonly apiKeys: ApiKeys;
  readonly admins: AdminAdmission;
  readonly routes: Routes;
  readonly rateLimits: RateLimits;
  readonly answerBudget: AnswerBudget;
  readonly idempotency: Idempotency;
  /** Counts the requests in flight. */
  readonly responses: { begin(): void };
  readonly places: ProjectPlaces;
}

/** The outcome of a step that has answered the request itself: no later step runs. */
export const ANSWERED = Symbol('answered');

/** One step of the pipeline. Throws or rejects with the refusal; a step that returns nothing lets the request go on at once. */
export type Step = (
  request: FastifyRequest,
  reply: FastifyReply,
  services: PipelineServices,
) => void | typeof ANSWERED | Promise<void | typeof ANSWERED>;
