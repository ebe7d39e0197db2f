import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Shutdown } from '@application/runtime/shutdown';
import { Logger } from '@platform/logging/logger';
import { Metrics } from '@platform/operations/metrics';
import { EndOfTick } from './end-of-tick.js';
import { Idempotency } from '../idempotency/idempotency.js';
import type { IdempotencyLock } from '../idempotency/idempotency-lock.js';
import { replayMarks } from '../idempotency/idempotency-record.js';
import { AnswerShares } from './answer-shares.js';
import { policyOf } from '../routes/route-policy.js';
import { whenReadToTheEnd } from '../body/unread-body.js';

type Send = (error: Error | null, payload?: unknown) => void;

const UNROUTED = 'unrouted';
/** Begins with a letter, or is a UUID: neither a phone number nor an e-mail address is one. */
const CLIENT_REQUEST_ID = /^(?:[A-Za-z][\w.-]{0,127}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;
/** What of an answer's headers belongs to its body; the others belong to the connection or the moment, a cookie to nobody else. */
const REPEATED_HEADERS = ['content-type', 'service-should-retry', 'etag'];

/** What happens to every answer: kept under its key before it leaves, then counted and logged. */
@Injectable()
export class Departure {
  private inFlight = 0;
  private readonly atEndOfTick = new EndOfTick();
  private whenIdle: (() => void) | null = null;

  constructor(
    private readonly idempotency: Idempotency,
    private readonly reads: AnswerShares,
    private readonly shutdown: Shutdown,
    private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {}

  install(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, _reply, done) => {
      request.isInFlight = true;
      this.inFlight += 1;
      done();
    });
    fastify.addHook('onSend', (request, reply, payload, done) => this.onSend(request, reply, payload, done));
    fastify.addHook('onResponse', (request, reply, done) => {
      this.depart(request, reply);
      done();
    });
    this.metrics.gauge('http_requests_in_flight', 'Requests that are not answered yet.', () => this.inFlight);
  }

  /** Resolves when every request that has arrived was answered. */
  answered(): Promise<void> {
    if (this.inFlight === 0) return Promise.resolve();
    return new Promise((resolve) => (this.whenIdle = resolve));
  }

  private onSend(request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Send): void {
    // Without it a client that keeps its connection open would hold up the end of the process.
    if (this.shutdown.begun.aborted) void reply.header('connection', 'close');
    this.reads.answered(request, typeof payload === 'string' ? Buffer.byteLength(payload) : 0);
    const leave = () => {
      this.departUnheard(request, reply);
      done(null, payload);
    };
    const send = () => this.atEndOfTick.do(leave);
    const { lock } = request;
    if (!lock) {
      if (reply.statusCode < 400) return send();
      return whenReadToTheEnd(request.raw, (isRead) => {
        // Node would read on whatever still comes before the next request.
        if (!isRead) void reply.header('connection', 'close');
        send();
      });
    }
    request.lock = null;
    this.keep(lock, request, reply, payload).then(send, (error: Error) => {
      for (const name of Object.keys(replayMarks(''))) void reply.removeHeader(name);
      done(error);
    });
  }

  /** Fastify calls `onResponse` only where the client waited for the end of its answer. */
  private departUnheard(request: FastifyRequest, reply: FastifyReply): void {
    const depart = () => this.depart(request, reply, { client_gone: true });
    if (reply.raw.destroyed) return depart();
    reply.raw.once('close', depart);
    // A pipelined answer has no socket until those before it were sent, and emits no close when the connection is lost meanwhile.
    if (reply.raw.socket === null) {
      const { socket } = request.raw;
      if (socket.destroyed) return depart();
      socket.once('close', depart);
      reply.raw.once('close', () => socket.off('close', depart));
    }
  }

  private keep(lock: IdempotencyLock, request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<void> {
    const headers: Record<string, string> = {};
    for (const name of REPEATED_HEADERS) {
      const value = reply.getHeader(name);
      if (value !== undefined) headers[name] = value as string;
    }
    const policy = policyOf(request);
    const open = policy?.access === 'project' && policy.openAnswers;
    const body = typeof payload === 'string' ? payload : '';
    const originalRequest = reply.getHeader('original-request') as string | undefined;
    return this.idempotency.complete(lock, { status: reply.statusCode, headers, body }, { open, originalRequest });
  }

  private depart(request: FastifyRequest, reply: FastifyReply, how: { client_gone?: true } = {}): void {
    if (!request.isInFlight) return;
    request.isInFlight = false;
    this.inFlight -= 1;
    this.reads.departed(request);
    const { method, id, caller } = request;
    const { statusCode: status, elapsedTime } = reply;
    const route = request.routeOptions.url ?? UNROUTED;
    this.metrics.requestEnded(method, route, status, elapsedTime / 1000);
    this.logger.info('request', {
      request_id: id,
      ...clientNamed(request),
      method,
      route,
      status,
      duration_ms: Math.round(elapsedTime * 10) / 10,
      ...(caller ? { project_id: caller.projectId } : {}),
      ...how,
    });
    if (this.inFlight === 0) this.whenIdle?.();
  }
}

/** What the client calls its request. Whatever could name a person is left out: it goes into logs. */
function clientNamed({ headers }: FastifyRequest): { client_request_id?: string } {
  const name = headers['x-request-id'];
  return typeof name === 'string' && CLIENT_REQUEST_ID.test(name) ? { client_request_id: name } : {};
}
