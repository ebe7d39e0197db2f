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

export abstract class PipelineServices {
  abstract readonly ids: Ids;
  abstract readonly clock: Clock;
  abstract readonly apiKeys: ApiKeys;
  abstract readonly admins: AdminAdmission;
  abstract readonly routes: Routes;
  abstract readonly rateLimits: RateLimits;
  abstract readonly answerBudget: AnswerBudget;
  abstract readonly idempotency: Idempotency;
  abstract readonly responses: { begin(): void };
  abstract readonly places: ProjectPlaces;
}

/** The result of a step that has answered the request: no later step runs. */
export const ANSWERED = Symbol('answered');

/** Throws or rejects with the refusal; a step that returns nothing lets the request go on at once. */
export type Step = (
  request: FastifyRequest,
  reply: FastifyReply,
  services: PipelineServices,
) => void | typeof ANSWERED | Promise<void | typeof ANSWERED>;
