import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';
import { renderJson } from '@domain/kernel/json-text';
import { lastAnswerOn } from '../hardening/limit-pipelining.js';
import { MOST_HEADER_BYTES } from '../pipeline/request-bounds.js';
import { errorBody, errorHeaders } from './error-body.js';
import { catalogueEntry } from './error-catalogue.js';

const TOO_SLOW = 'ERR_HTTP_REQUEST_TIMEOUT';

/**
 * Answers bytes that are no HTTP with an error body after the responses before it, and closes the connection. The server must
 * be guarded by `limitPipelining`, which knows the response before.
 */
export function answerMalformed(this: FastifyInstance, error: Error & { code?: string }, socket: Socket): void {
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
  const requestId = (this as unknown as { genReqId(): string }).genReqId();
  const mayRetry = error.code === TOO_SLOW ? { 'service-should-retry': 'true' } : {};
  socket.end(rendered(refusalOf(error), requestId, mayRetry));
}

/** Whether the malformed bytes belong to the request itself, so that nothing else will answer it. */
function isStuck(answer: ServerResponse): boolean {
  return !answer.req.complete && !answer.headersSent && answer.socket !== null;
}

function endAfter(answer: ServerResponse, socket: Socket): void {
  // A response without keep-alive closes the connection by itself.
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
  const { status } = catalogueEntry(refusal.code);
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
