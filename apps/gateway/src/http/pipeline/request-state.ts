import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { inThisContext } from '@kit/in-this-context';
import type { RequestContext } from '@application/runtime/request-context';
import type { Caller } from '@application/projects/caller';
import { NO_BODY, type JsonBody } from '../body/json-body.js';
import type { KeyClaim, Replayed } from '../idempotency/idempotency.js';
import { RequestWarnings } from '../warnings/request-warnings.js';
import type { BudgetSlot } from './project-budget.js';
import type { ProjectPlace } from './project-places.js';

/** What the pipeline's steps have found out so far. */
export class RequestState {
  /** Runs a callback in the request's async context: Node calls back in the connection's, or the preceding answer's. */
  readonly inContext = inThisContext(call);
  /** Null before authentication, and outside the routes of a project. */
  caller: Caller | null = null;
  /** The id of the administrator's session; null outside `/admin/v1` and before authentication. */
  adminSession: string | null = null;
  /** The body as sent, for the request's fingerprint. */
  body: JsonBody = NO_BODY;
  /** The `Idempotency-Key`; null where none counts. */
  key: string | null = null;
  claim: KeyClaim | null = null;
  /** The key's answer, where the client wants it as a stream. */
  replayed: Replayed | null = null;
  /** Null for reads. */
  context: RequestContext | null = null;
  /** Held until the client has received the answer, or disconnected. */
  answerSlot: BudgetSlot | null = null;
  /** Takes an answer slot anew. */
  reserveAnswer: () => void | Promise<void> = () => undefined;
  /** Held by a write until its body has arrived; by a message post until its answer, or until the client disconnects. */
  place: ProjectPlace | null = null;
  /** The first fault of the head. Some faults of the body take precedence. */
  headRefusal: Error | null = null;
  /** The route's rate limit is used up; the body may be of another class. */
  rateRefusal: Error | null = null;
  /** The refusal if the body does not arrive soon. */
  lateRefusal: Error | null = null;
  readonly warnings = new RequestWarnings();
  /** The error code of the answer, if it is an error. */
  errorCode: string | null = null;
  isInFlight = true;
}

function call<Args extends unknown[], Result>(callback: (...args: Args) => Result, ...args: Args): Result {
  return callback(...args);
}

declare module 'fastify' {
  interface FastifyRequest {
    state: RequestState;
  }
}

/** What a controller gets of a client's request. The pipeline has set `caller`, and `context` unless it is a read. */
export interface ClientRequest {
  readonly caller: Caller;
  readonly context: RequestContext;
  readonly claim: KeyClaim | null;
  readonly replayed: Replayed | null;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: FastifyRequest['headers'];
  /** The request's id. */
  readonly id: string;
  /** Runs what the request waits for without its share of the project's answers, so that others are answered meanwhile. */
  whileWaiting<T>(work: () => Promise<T>): Promise<T>;
  /** For warnings that only the execution can find. */
  readonly warnings: RequestWarnings;
}

export type AdminRequest = Omit<ClientRequest, 'caller' | 'claim' | 'replayed' | 'warnings' | 'whileWaiting'>;

export const Client = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { state, id, params, query, headers } = context.switchToHttp().getRequest<FastifyRequest>();
  const { caller, context: command, claim, replayed, warnings } = state;
  const whileWaiting = <T>(work: () => Promise<T>) => withoutSlot(state, work);
  return { caller, context: command, claim, replayed, id, params, query, headers, whileWaiting, warnings };
});

async function withoutSlot<T>(state: RequestState, work: () => Promise<T>): Promise<T> {
  state.answerSlot?.leave();
  state.answerSlot = null;
  const result = await work();
  await state.reserveAnswer();
  return result;
}
