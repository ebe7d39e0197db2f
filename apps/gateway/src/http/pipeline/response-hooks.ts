import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { renderJson } from '@domain/kernel/json-text';
import { Shutdown } from '@application/runtime/shutdown';
import { Logger } from '@platform/logging/logger';
import { Metrics } from '@platform/operations/metrics';
import { whenReadToTheEnd } from '../body/when-read-to-the-end.js';
import { errorBody, errorHeaders, refusalOf, type ErrorBody } from '../errors/error-body.js';
import { catalogueEntry } from '../errors/error-catalogue.js';
import { isUnkeyedPost } from '../errors/error.filter.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { EventStream } from '../server-sent-events/event-stream.js';
import { keepAnswer } from './idempotency.step.js';
import { RequestAudit } from './request-audit.js';

type Send = (error: Error | null, payload?: unknown) => void;

export const UNROUTED = 'unrouted';
/** Starts with a letter, or is a UUID: this excludes phone numbers and e-mail addresses. */
const CLIENT_REQUEST_ID = /^(?:[A-Za-z][\w.-]{0,127}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** An answer's way: kept under its key and audited where it is an administrator's, sent, then counted and logged once the client has received it or disconnected. */
@Injectable()
export class ResponseHooks {
  private inFlight = 0;
  private whenIdle: (() => void) | null = null;

  constructor(
    private readonly idempotency: Idempotency,
    private readonly audit: RequestAudit,
    private readonly shutdown: Shutdown,
    private readonly logger: Logger,
    private readonly metrics: Metrics,
  ) {}

  /** Call after `RequestPipeline.install`, which sets the request state. */
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

  begin(): void {
    this.inFlight += 1;
  }

  answered(): Promise<void> {
    if (this.inFlight === 0) return Promise.resolve();
    return new Promise((resolve) => (this.whenIdle = resolve));
  }

  private onSend(request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Send): void {
    // A client that keeps its connection open would delay the shutdown.
    if (this.shutdown.begun.aborted) void reply.header('connection', 'close');
    const { state, raw } = request;
    if (state.warnings.count > 0) void reply.header('service-warning', state.warnings.lines);
    if (reply.statusCode >= 400) state.errorCode = errorCodeIn(payload);
    state.answerSlot?.charge(typeof payload === 'string' ? Buffer.byteLength(payload) : 0);
    const send = (sent: unknown) => {
      // A stream has no end to wait for: it counts as answered by its head.
      if (sent instanceof EventStream) this.end(request, reply);
      else this.watchClient(request, reply);
      done(null, sent);
    };
    const finish = (sent: unknown) => {
      if (reply.statusCode < 400) return send(sent);
      whenReadToTheEnd(raw, (isRead) => {
        // Node would read the rest of the body before the next request.
        if (!isRead) void reply.header('connection', 'close');
        state.inContext(send, sent);
      });
    };
    if (state.claim || this.audit.concerns(request)) this.store(request, reply, payload).then(finish, done);
    else finish(payload);
  }

  /** Resolves to what is sent. An answer that cannot be kept becomes an error response, which passes through `onSend` again. */
  private async store(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
    // A stream's answer is kept at its end.
    const sent = payload instanceof EventStream ? payload : await keepAnswer(request, reply, payload, this.idempotency);
    if (!this.audit.concerns(request)) return sent;
    return this.audit.record(request, reply, sent).then(
      () => sent,
      (error: unknown) => this.unrecorded(request, reply, error),
    );
  }

  /** Replaces the answer here, because Fastify handles one error a request, and the answer may be of one already. */
  private unrecorded(request: FastifyRequest, reply: FastifyReply, error: unknown): string {
    const refusal = refusalOf(error);
    if (refusal.code === 'internal_error') this.logger.failure('request failed', error, { request_id: request.id });
    request.state.errorCode = refusal.code;
    // The cookie of a login must not open a session that is missing in the audit log.
    void reply.removeHeader('set-cookie');
    void reply.status(catalogueEntry(refusal.code).status).headers(errorHeaders(refusal, isUnkeyedPost(request)));
    return renderJson(errorBody(refusal, request.id));
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
    endSpan(request, route, status);
    if (this.inFlight === 0) this.whenIdle?.();
  }
}

function endSpan({ span, method, state }: FastifyRequest, route: string, status: number): void {
  if (!span) return;
  const project = state.caller ? { project_id: state.caller.projectId } : {};
  const error = state.errorCode === null ? {} : { 'error.type': state.errorCode };
  span.set({ 'http.request.method': method, 'http.route': route, 'http.response.status_code': status, ...project, ...error });
  if (status >= 500) span.fail(state.errorCode ?? `status_${status}`);
  span.end();
}

/** Read from the body, to include errors replayed from a key. */
function errorCodeIn(payload: unknown): string | null {
  try {
    const { error } = JSON.parse(String(payload)) as Partial<ErrorBody>;
    return error?.code ?? null;
  } catch {
    return null;
  }
}

/** The client's name for its request. Names that could contain personal data stay out of the log. */
function clientNamed({ headers }: FastifyRequest): { client_request_id?: string } {
  const name = headers['x-request-id'];
  return typeof name === 'string' && CLIENT_REQUEST_ID.test(name) ? { client_request_id: name } : {};
}
