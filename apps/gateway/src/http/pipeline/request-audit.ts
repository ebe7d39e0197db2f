import type { FastifyReply, FastifyRequest } from 'fastify';

export abstract class RequestAudit {
  /** Whether this request is to be recorded before its answer is sent. */
  abstract concerns(request: FastifyRequest): boolean;

  /** Resolves once the request and its answer are recorded durably. Rejects with the store's error. */
  abstract record(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<void>;
}
