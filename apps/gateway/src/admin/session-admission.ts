import { Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { AdminSessions } from '@application/admin/admin-sessions';
import { DomainError } from '@domain/kernel/domain-error';
import { AdminAdmission } from '../http/pipeline/admin-admission.js';
import { presentedToken } from './presented-token.js';

/** So much of a session's id tells it from others. */
const SHOWN_LETTERS = 16;

/** Authenticates admins by their session. Requests with the cookie, which browsers add by themselves, need a CSRF token too. */
@Injectable()
export class SessionAdmission extends AdminAdmission {
  constructor(private readonly sessions: AdminSessions) {
    super();
  }

  async admit({ headers, state }: FastifyRequest): Promise<void> {
    const { id } = await this.sessions.find(presentedToken(headers).token);
    state.adminSession = id.slice(0, SHOWN_LETTERS);
  }

  permit({ method, headers }: FastifyRequest): void {
    const { token, byCookie } = presentedToken(headers);
    if (!byCookie || method === 'GET') return;
    refuseOtherOrigin(headers);
    const proof = headers['x-csrf-token'];
    if (token !== null && typeof proof === 'string' && this.sessions.isCsrfToken(token, proof)) return;
    throw new DomainError('csrf_token_invalid', "Send the session's CSRF token in X-CSRF-Token.");
  }
}

/** Compares hosts only: the scheme of `Origin` may be that of a proxy in front of the service. */
function refuseOtherOrigin({ origin, host = '' }: IncomingHttpHeaders): void {
  if (origin === undefined) return;
  if (URL.canParse(origin) && new URL(origin).host === host.toLowerCase()) return;
  throw new DomainError('csrf_token_invalid', 'This request comes from a page of another origin.');
}
