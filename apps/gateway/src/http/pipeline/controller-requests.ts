import type { FastifyRequest } from 'fastify';
import type { RequestContext } from '@application/request-context';
import type { Caller } from '@application/projects/caller';
import type { Visit } from './answer-shares.js';
import type { IdempotencyLock } from '../idempotency/idempotency-lock.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every request under /v1 once its key was accepted. */
    caller: Caller | null;
    /** Set before a handler runs. */
    context: RequestContext | null;
    /** Held while this request executes under an idempotency key. */
    lock: IdempotencyLock | null;
    /** Set while its answer has room among its project's. */
    visit: Visit | null;
    /** Until it was answered, or its client has gone. */
    isInFlight: boolean;
  }
}

/** What a client's request is to a controller. */
export interface ClientRequest {
  readonly caller: Caller;
  readonly context: RequestContext;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: FastifyRequest['headers'];
  /** Null without an idempotency key. */
  readonly lock: IdempotencyLock | null;
}

/** What an admin's request is to a controller. */
export type AdminRequest = Omit<ClientRequest, 'caller'>;
