import type { Socket } from 'node:net';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';
import { renderJson } from '@domain/kernel/json-text';
import { errorBody, errorHeaders, refusalOf } from './error-answer.js';
import { catalogued } from './error-catalogue.js';
import { MOST_BODY_BYTES } from './json-body.js';
import { parseQuery } from './query-text.js';

const LONGEST_PARAM = 200;
const MOST_HEADER_BYTES = 16 * 1024;
const REQUEST_MUST_ARRIVE_WITHIN_MS = 30_000;
const HEADERS_MUST_ARRIVE_WITHIN_MS = 10_000;

/** The HTTP server, as far as it can only be configured before it exists. */
export function newFastify(): FastifyAdapter {
  return new FastifyAdapter({
    skipMiddie: true,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    bodyLimit: MOST_BODY_BYTES,
    requestTimeout: REQUEST_MUST_ARRIVE_WITHIN_MS,
    http: { maxHeaderSize: MOST_HEADER_BYTES, headersTimeout: HEADERS_MUST_ARRIVE_WITHIN_MS },
    routerOptions: { maxParamLength: LONGEST_PARAM, querystringParser: parseQuery },
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => answerUnroutable(error, request.id, reply),
    clientErrorHandler: answerMalformed,
  });
}

/** No route has a schema: what compiles them is a third of Fastify, and would be loaded by every start. */
function noSchemas(): never {
  throw new Error('routes are checked by their DTOs, not by schemas');
}

/** A path that cannot even be decoded reaches no hook. */
function answerUnroutable(error: Error, requestId: string, reply: FastifyReply): void {
  const isOurs = refusalOf(error).code === 'internal_error';
  const refused = isOurs ? refusalOf(error) : new DomainError('route_not_found', 'No such endpoint.');
  void reply
    .status(catalogued(refused.code).status)
    .headers({ ...errorHeaders(refused), 'request-id': requestId, 'cache-control': 'no-store' })
    .send(errorBody(refused, requestId));
}

/** What is no HTTP at all gets the same kind of answer, and the connection ends. */
function answerMalformed(this: FastifyInstance, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = (this as unknown as { genReqId(): string }).genReqId();
  const refusal = new DomainError('parameter_invalid', 'The request is not valid HTTP.');
  const body = renderJson(errorBody(refusal, requestId));
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'request-id': requestId,
    'cache-control': 'no-store',
    ...errorHeaders(refusal),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}
