import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Logger } from '@platform/logging/logger';
import { errorBody, errorHeaders, refusalOf } from './error-answer.js';
import { catalogued } from './error-catalogue.js';

/** Turns whatever is thrown, by handlers, hooks or the framework, into the one error answer. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const refusal = refusalOf(thrown);
    if (refusal.code === 'internal_error' || refusal.code === 'service_unavailable') {
      this.logger.failure('request failed', thrown, { request_id: request.id });
    }
    if (reply.sent) return;
    void reply
      .status(catalogued(refusal.code).status)
      .headers(errorHeaders(refusal))
      .type('application/json; charset=utf-8')
      .send(errorBody(refusal, request.id));
  }
}
