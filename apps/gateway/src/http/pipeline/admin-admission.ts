import type { Caller } from '@application/projects/caller';
import type { FastifyRequest } from 'fastify';

export abstract class AdminAdmission {
  /** Throws `csrf_token_invalid` for a page of another origin. A login is not yet by cookie, but its answer sets one. */
  abstract refuseOtherOrigin(request: FastifyRequest): void;

  /** Rejects with `csrf_token_invalid` as `refuseOtherOrigin` does for a request by cookie, then with `admin_session_invalid`. */
  abstract admit(request: FastifyRequest): Promise<void>;

  /** Throws `csrf_token_invalid`. The request must be admitted first. */
  abstract permit(request: FastifyRequest): void;

  /** An administrator as a caller of a project, with every scope. Rejects with `resource_missing`. */
  abstract callerIn(projectId: string): Promise<Caller>;
}
