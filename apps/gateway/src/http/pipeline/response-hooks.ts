import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Shutdown } from '@application/runtime/shutdown';
import { Logger } from '@platform/logging/logger';
import { Metrics } from '@platform/operations/metrics';
import { whenReadToTheEnd } from '../body/when-read-to-the-end.js';
import type { ErrorBody } from '../errors/error-body.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { keepAnswer } from './idempotency.step.js';

type Send = (error: Error | null, payload?: unknown) => void;

/** The route in log lines and metrics of requests that have none. */
export const UNROUTED = 'unrouted';
/** Begins with a letter, or is a UUID: neither a phone number nor an e-mail address is one. */
const CLIENT_REQUEST_ID = /^(?:[A-Za-z][\w.-]{0,127}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** The way of an answer: kept under its key, sent, then counted and logged once the client has taken it or has gone. */
@Injectable()
export class ResponseHooks {
  private inFlight = 0;
  private whenIdle: (() => void) | null = null;

  constructor(
    private readonly idempotency: Idempotency,
    private readonly shutdown: Shutdown,
    private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {}

  /** To be called behind `RequestPipeline.install`, which gives requests their state. */
  install(fastify: FastifyInstance): void {
    fastify.addHook('onSend', (request, reply, payload, done) => this.onSend(request, reply, payload, done));
    fastify.addHook('onResponse', (request, reply, done) => {
      request.state.inContext(() => {
        this.end(request, reply);
        done();
      });
    });
    this.metrics.gauge('http_requests_in_flight', 'Requests that are not answered yet.', () => this.inFlight);
  }

  /** Counts a request that has just arrived as in flight. */
  begin(): void {
    this.inFlight += 1;
  }

  /** Resolves when every request that has arrived was answered. */
  answered(): Promise<void> {
    if (this.inFlight === 0) return Promise.resolve();
    return new Promise((resolve) => (this.whenIdle = resolve));
  }

  private onSend(request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Send): void {
    // A client that keeps its connection open would hold up the end of the process.
    if (this.shutdown.begun.aborted) void reply.header('connection', 'close');
    const { state, raw } = request;
    if (state.warnings.count > 0) void reply.header('service-warning', state.warnings.lines);
    if (reply.statusCode >= 400) state.errorCode = errorCodeIn(payload);
    state.answerSlot?.charge(typeof payload === 'string' ? Buffer.byteLength(payload) : 0);
    const send = () => {
      this.watchClient(request, reply);
      done(null, payload);
    };
    if (state.lock) keepAnswer(request, reply, payload, this.idempotency).then(send, done);
    else if (reply.statusCode < 400) send();
    else
      whenReadToTheEnd(raw, (isRead) => {
        // Node would go on reading what is left of the body before the next request.
        if (!isRead) void reply.header('connection', 'close');
        state.inContext(send);
      });
  }

  /** Fastify calls `onResponse` only where the client waited for the end of its answer. */
  private watchClient(request: FastifyRequest, reply: FastifyReply): void {
    const end = () => request.state.inContext(() => this.end(request, reply, { client_gone: true }));
    if (reply.raw.destroyed) return end();
    reply.raw.once('close', end);
    // A pipelined answer has no socket until those before it were sent, and emits no close when the connection is lost meanwhile.
    if (reply.raw.socket !== null) return;
    const { socket } = request.raw;
    if (socket.destroyed) return end();
    socket.once('close', end);
    reply.raw.once('close', () => socket.off('close', end));
  }

  private end(request: FastifyRequest, reply: FastifyReply, how: { client_gone?: true } = {}): void {
    const { state, method, id } = request;
    if (!state.isInFlight) return;
    state.isInFlight = false;
    this.inFlight -= 1;
    state.answerSlot?.leave();
    state.place?.leave();
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
      ...(state.errorCode === null ? {} : { error_code: state.errorCode }),
      ...(state.warnings.count > 0 ? { warnings: state.warnings.count } : {}),
      ...(state.caller ? { project_id: state.caller.projectId } : {}),
      ...how,
    });
    if (this.inFlight === 0) this.whenIdle?.();
  }
}

/** Read from the body, so that an error that was kept under its key is named too. */
function errorCodeIn(payload: unknown): string | null {
  try {
    const { error } = JSON.parse(String(payload)) as Partial<ErrorBody>;
    return error?.code ?? null;
  } catch {
    return null;
  }
}

/** The name that the client gave its request. Names that could hold personal data stay out of the log. */
function clientNamed({ headers }: FastifyRequest): { client_request_id?: string } {
  const name = headers['x-request-id'];
  return typeof name === 'string' && CLIENT_REQUEST_ID.test(name) ? { client_request_id: name } : {};
}
