import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiKeys } from '@application/projects/api-keys';
import { Clock } from '@ports/clock.port';
import { Ids } from '@ports/ids.port';
import { Idempotency } from '../idempotency/idempotency.js';
import { Routes } from '../routes/routes.js';
import { AdminAdmission } from './admin-admission.js';
import { AnswerBudget } from './answer-budget.js';
import { ProjectPlaces } from './project-places.js';
import { RateLimits } from './rate-limits.js';
import { ResponseHooks } from './response-hooks.js';
import { ANSWERED, type PipelineServices, type Step } from './step.js';
import { BEFORE_BODY, BEFORE_HANDLER } from './steps.js';

type Done = (error?: Error) => void;

/** Runs the steps as hooks of Fastify. */
@Injectable()
export class RequestPipeline {
  private readonly services: PipelineServices;

  constructor(
    ids: Ids,
    clock: Clock,
    apiKeys: ApiKeys,
    admins: AdminAdmission,
    rateLimits: RateLimits,
    answerBudget: AnswerBudget,
    idempotency: Idempotency,
    responses: ResponseHooks,
  ) {
    this.services = {
      ids,
      clock,
      apiKeys,
      admins,
      rateLimits,
      answerBudget,
      idempotency,
      responses,
      routes: new Routes(),
      places: new ProjectPlaces(),
    };
  }

  /** To be called before the first route is registered. */
  install(fastify: FastifyInstance): void {
    const { ids, routes } = this.services;
    fastify.setGenReqId(() => ids.next('request'));
    routes.collectFrom(fastify);
    for (const step of BEFORE_BODY) fastify.addHook('onRequest', this.hookOf(step));
    for (const step of BEFORE_HANDLER) fastify.addHook('preHandler', this.hookOf(step));
  }

  /** Fastify spends a promise on a hook that returns one: a step that is done at once calls back at once. */
  private hookOf(step: Step): (request: FastifyRequest, reply: FastifyReply, done: Done) => void {
    return (request, reply, done) => {
      let outcome: ReturnType<Step>;
      try {
        outcome = step(request, reply, this.services);
      } catch (error) {
        return done(error as Error);
      }
      if (outcome instanceof Promise) outcome.then((settled) => settled === ANSWERED || done(), done);
      else if (outcome !== ANSWERED) done();
    };
  }
}
