import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';
import { Ids } from '@ports/ids.port';
import { Authentication } from './authentication.js';
import { hasEmptyPart, routeNotFound, Routes } from '../routes/routes.js';

type Done = (error?: Error) => void;

/** What happens to every request before its body is read: a name, who is asking, whether there is such a route. */
@Injectable()
export class Arrival {
  private readonly routes = new Routes();

  constructor(
    private readonly ids: Ids,
    private readonly authentication: Authentication,
  ) {}

  install(fastify: FastifyInstance): void {
    fastify.setGenReqId(() => this.ids.next('request'));
    for (const note of ['caller', 'context', 'lock', 'visit'] as const) fastify.decorateRequest(note, null);
    fastify.decorateRequest('isInFlight', false);
    this.routes.collectFrom(fastify);
    fastify.addHook('onRequest', (request, reply, done) => this.onRequest(request, reply, done));
  }

  private onRequest(request: FastifyRequest, reply: FastifyReply, done: Done): void {
    void reply.header('request-id', request.id).header('cache-control', 'no-store');
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') return done(hostMissing());
    const admission = this.authentication.admit(request);
    if (admission) admission.then(() => this.route(request, reply, done), done);
    else this.route(request, reply, done);
  }

  private route(request: FastifyRequest, reply: FastifyReply, done: Done): void {
    if (!request.is404) return done(hasEmptyPart(request.params) ? routeNotFound() : undefined);
    const { refusal, allow } = this.routes.refusalOf(request);
    if (allow !== null) void reply.header('allow', allow);
    done(refusal);
  }
}

function hostMissing(): DomainError {
  return new DomainError('parameter_missing', 'A request in HTTP/1.1 names its Host.', { param: 'Host' });
}
