import { AsyncLocalStorage } from 'node:async_hooks';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { RequestContext } from '@application/runtime/request-context';
import type { Caller } from '@application/projects/caller';
import { NO_BODY, type JsonBody } from '../body/json-body.js';
import type { IdempotencyLock } from '../idempotency/idempotency-lock.js';
import { RequestWarnings } from '../warnings/request-warnings.js';
import type { BudgetSlot } from './project-budget.js';
import type { ProjectPlace } from './project-places.js';

/** What the steps of the pipeline have found out about a request so far. */
export class RequestState {
  /**
   * Runs a callback in the request's async context: Node calls back in the context of the connection, or of the answer before
   * this one.
   */
  readonly inContext = AsyncLocalStorage.snapshot();
  /** The API key's project and scopes; null before authentication, and for every request outside `/v1`. */
  caller: Caller | null = null;
  /** The beginning of the admin session's id; null for every request outside `/admin/v1`. */
  adminSession: string | null = null;
  /** The body as it was sent, for the fingerprint of the request; the handler gets the DTO made of it. */
  body: JsonBody = NO_BODY;
  /** The `Idempotency-Key`; null where none counts. */
  key: string | null = null;
  /** Held while the request executes under its key. */
  lock: IdempotencyLock | null = null;
  /** What the ids and appends of the request are made of; null for reads. */
  context: RequestContext | null = null;
  /** Held until the client has taken the answer, or has gone. */
  answerSlot: BudgetSlot | null = null;
  /** Held from the head of a write until its body is whole; by a message post until it is answered, or its client has gone. */
  place: ProjectPlace | null = null;
  /** The first fault of the head. Some faults of the body take precedence over it (api-contract §10). */
  headRefusal: Error | null = null;
  /** What the request is refused with if its body does not arrive soon. */
  lateRefusal: Error | null = null;
  /** Told in `Service-Warning`, and counted in the request's log line. */
  readonly warnings = new RequestWarnings();
  /** The code of the error that it is answered with; null where it is answered otherwise. */
  errorCode: string | null = null;
  /** Until the request was answered, or its client has gone. */
  isInFlight = true;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the first step. */
    state: RequestState;
  }
}

/** What a controller gets of a client's request. The pipeline has set `caller`, and `context` unless it is a read. */
export interface ClientRequest {
  readonly caller: Caller;
  readonly context: RequestContext;
  /** Null without an `Idempotency-Key`. */
  readonly lock: IdempotencyLock | null;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: FastifyRequest['headers'];
  /** For what only the execution finds out: that a member of the request has no effect. */
  readonly warnings: RequestWarnings;
}

/** What a controller gets of an administrator's request. */
export type AdminRequest = Omit<ClientRequest, 'caller' | 'lock' | 'warnings'>;

/** Hands a controller its `ClientRequest` or `AdminRequest`. */
export const Client = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { state, params, query, headers } = context.switchToHttp().getRequest<FastifyRequest>();
  return { caller: state.caller, context: state.context, lock: state.lock, params, query, headers, warnings: state.warnings };
});
