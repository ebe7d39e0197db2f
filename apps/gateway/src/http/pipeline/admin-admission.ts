import type { FastifyRequest } from 'fastify';

/** Lets an admin's session in, and its requests through. */
export abstract class AdminAdmission {
  /** Rejects with `admin_session_invalid`. */
  abstract admit(request: FastifyRequest): Promise<void>;

  /** Throws `csrf_token_invalid`. The request was admitted before. */
  abstract permit(request: FastifyRequest): void;
}
