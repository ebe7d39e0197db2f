import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { ErrorCode } from '@domain/kernel/domain-error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LogThrottle } from '@application/runtime/log-throttle';
import { Logger } from '@platform/logging/logger';
import type { Clock } from '@ports/clock.port';
import { errorBody, errorHeaders, refusalOf } from './error-body.js';
import { catalogueEntry } from './error-catalogue.js';

@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly outage: LogThrottle;

  constructor(
    private readonly logger: Logger,
    clock: Clock,
  ) {
    this.outage = new LogThrottle(clock);
  }

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const refusal = refusalOf(thrown);
    if (this.isForTheLog(refusal.code, thrown)) {
      this.logger.failure('request failed', thrown, { request_id: request.id });
    }
    if (reply.sent) return;
    void reply
      .status(catalogueEntry(refusal.code).status)
      .headers(errorHeaders(refusal, isUnkeyedPost(request)))
      .type('application/json; charset=utf-8')
      .send(errorBody(refusal, request.id));
  }

  /** Logs an outage's cause only now and then: each failed request has its own log line anyway. */
  private isForTheLog(code: ErrorCode, thrown: unknown): boolean {
    return code === 'internal_error' || (code === 'service_unavailable' && this.outage.shouldLog(thrown));
  }
}

/** Whether a POST without a key may have been executed. Before its execution it has no context yet. */
export function isUnkeyedPost({
  method,
  state,
}: Pick<FastifyRequest, 'method'> & Partial<Pick<FastifyRequest, 'state'>>): boolean {
  return method === 'POST' && state !== undefined && state.context !== null && state.key === null;
}
