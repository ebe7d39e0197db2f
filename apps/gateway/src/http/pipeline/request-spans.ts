import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { sampledTraceparent } from '@ports/traceparent';
import { Tracer, type Span } from '@ports/tracer.port';
import { policyOf } from '../routes/routes.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a request to the API, where requests are traced; `ResponseHooks` ends it. */
    span?: Span;
  }
}

/** Gives each request to the API a span, which follows the one that a client keeps. */
@Injectable()
export class RequestSpans {
  constructor(private readonly tracer: Tracer) {}

  /** To be called before `RequestPipeline.install`: all that a request sets off belongs to its span. */
  install(fastify: FastifyInstance): void {
    if (!this.tracer.isOn) return;
    fastify.addHook('onRequest', (request, _reply, done) => {
      if (!policyOf(request)) return done();
      const parent = sampledTraceparent(request.headers.traceparent);
      request.span = this.tracer.begin('request', { request_id: request.id }, { parent });
      request.span.run(done);
    });
  }
}
