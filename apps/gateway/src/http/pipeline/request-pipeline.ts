import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ANSWERED, PipelineServices, type Step } from './step.js';
import { BEFORE_BODY, BEFORE_HANDLER } from './steps.js';

type Done = (error?: Error) => void;

@Injectable()
export class RequestPipeline {
  constructor(private readonly services: PipelineServices) {}

  /** Must be called before the first route is registered. */
  install(fastify: FastifyInstance): void {
    const { ids, routes } = this.services;
    fastify.setGenReqId(() => ids.next('request'));
    routes.collectFrom(fastify);
    for (const step of BEFORE_BODY) fastify.addHook('onRequest', this.hookOf(step));
    for (const step of BEFORE_HANDLER) fastify.addHook('preHandler', this.hookOf(step));
  }

  /** Fastify allocates a promise for an async hook, so a step that is done at once calls back directly. */
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
