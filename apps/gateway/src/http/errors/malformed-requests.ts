import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';
import { renderJson } from '@domain/kernel/json-text';
import { Logger } from '@platform/logging/logger';
import { Ids } from '@ports/ids.port';
import { lastAnswerOn } from '../hardening/limit-pipelining.js';
import { MAX_HEADER_BYTES } from '../pipeline/request-bounds.js';
import { UNROUTED } from '../pipeline/response-hooks.js';
import { errorBody, errorHeaders } from './error-body.js';
import { catalogueEntry } from './error-catalogue.js';

type ParseError = Error & { readonly code?: string };

const TOO_SLOW = 'ERR_HTTP_REQUEST_TIMEOUT';

/** Answers bytes that are not HTTP and so never reach the pipeline. */
@Injectable()
export class MalformedRequests {
  constructor(
    private readonly ids: Ids,
    private readonly logger: Logger,
  ) {}

  /** Call before the server listens. Requires `limitPipelining`, which tracks the preceding response. */
  install({ server }: FastifyInstance): void {
    // Fastify accepts a custom handler only in its constructor options.
    server.removeAllListeners('clientError');
    server.on('clientError', (error: ParseError, socket: Socket) => this.answer(error, socket));
  }

  private answer(error: ParseError, socket: Socket): void {
    if (error.code === 'ECONNRESET' || !socket.writable || (error.code === TOO_SLOW && socket.bytesRead === 0)) {
      socket.destroy();
      return;
    }
    const last = lastAnswerOn(socket);
    if (last && !last.writableFinished && !isStuck(last)) return endAfter(last, socket);
    if (last?.writableFinished && !last.req.complete) {
      socket.end();
      return;
    }
    const refusal = refusalOf(error);
    const { status } = catalogueEntry(refusal.code);
    const requestId = this.ids.next('request');
    const mayRetry = error.code === TOO_SLOW ? { 'service-should-retry': 'true' } : {};
    socket.end(rendered(refusal, status, requestId, mayRetry));
    this.logger.info('request', { request_id: requestId, route: UNROUTED, status, error_code: refusal.code });
  }
}

/** Whether the malformed bytes are part of the open request, which then gets no other answer. */
function isStuck(answer: ServerResponse): boolean {
  return !answer.req.complete && !answer.headersSent && answer.socket !== null;
}

function endAfter(answer: ServerResponse, socket: Socket): void {
  // Without keep-alive the response closes the connection itself.
  if (!answer.shouldKeepAlive) return;
  answer.shouldKeepAlive = false;
  answer.once('close', () => socket.end());
}

function refusalOf({ code }: ParseError): DomainError {
  if (code === TOO_SLOW) return new DomainError('parameter_invalid', 'The request did not arrive in time.');
  if (code !== 'HPE_HEADER_OVERFLOW') return new DomainError('parameter_invalid', 'The request is not valid HTTP.');
  return new DomainError('request_too_large', `Path and headers may have at most ${MAX_HEADER_BYTES / 1024} KiB together.`);
}

function rendered(refusal: DomainError, status: number, requestId: string, more: Readonly<Record<string, string>>): string {
  const body = renderJson(errorBody(refusal, requestId));
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'request-id': requestId,
    'cache-control': 'no-store',
    ...errorHeaders(refusal),
    ...more,
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}
