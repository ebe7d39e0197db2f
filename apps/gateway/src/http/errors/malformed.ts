import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';
import { renderJson } from '@domain/kernel/json-text';
import { errorBody, errorHeaders } from './error-answer.js';
import { catalogued } from './error-catalogue.js';
import { MOST_HEADER_BYTES } from '../pipeline/request-bounds.js';

const TOO_SLOW = 'ERR_HTTP_REQUEST_TIMEOUT';

/** The answer to the last request whose headers a connection brought. */
const lastAnswers = new WeakMap<Socket, ServerResponse>();

/** To be told of every request, as `answerMalformed` must know of the one before. */
export function noteAnswer(socket: Socket, answer: ServerResponse): void {
  lastAnswers.set(socket, answer);
}

/** What is no HTTP at all gets the same kind of answer, and the connection ends. What was asked before is answered first. */
export function answerMalformed(this: FastifyInstance, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || (error.code === TOO_SLOW && socket.bytesRead === 0)) {
    socket.destroy();
    return;
  }
  const last = lastAnswers.get(socket);
  if (last && !last.writableFinished && !isStuck(last)) return endAfter(last, socket);
  if (last?.writableFinished && !last.req.complete) {
    socket.end();
    return;
  }
  const requestId = (this as unknown as { genReqId(): string }).genReqId();
  const mayRetry = error.code === TOO_SLOW ? { 'service-should-retry': 'true' } : {};
  socket.end(rendered(refusalOf(error), requestId, mayRetry));
}

/** Whether the request itself is what is malformed, or never comes to its end: nothing else will answer it. */
function isStuck(answer: ServerResponse): boolean {
  return !answer.req.complete && !answer.headersSent && answer.socket !== null;
}

function endAfter(answer: ServerResponse, socket: Socket): void {
  // An answer that keeps nothing alive ends its connection by itself.
  if (!answer.shouldKeepAlive) return;
  answer.shouldKeepAlive = false;
  answer.once('close', () => socket.end());
}

function refusalOf({ code }: { readonly code?: string }): DomainError {
  if (code === TOO_SLOW) return new DomainError('parameter_invalid', 'The request did not arrive in time.');
  if (code !== 'HPE_HEADER_OVERFLOW') return new DomainError('parameter_invalid', 'The request is not valid HTTP.');
  return new DomainError('request_too_large', `Path and headers may have at most ${MOST_HEADER_BYTES / 1024} KiB together.`);
}

function rendered(refusal: DomainError, requestId: string, more: Readonly<Record<string, string>>): string {
  const { status } = catalogued(refusal.code);
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
