import type { FastifyReply, FastifyRequest } from 'fastify';

/** Lets an admin's session in. */
export abstract class AdminAdmission {
  /** Rejects with `admin_session_invalid` or `csrf_token_invalid`. */
  abstract admit(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}
