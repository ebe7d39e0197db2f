import { Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { AdminSessions } from '@application/admin/admin-sessions';
import { DomainError } from '@domain/kernel/domain-error';
import { AdminAdmission } from '../http/pipeline/admin-admission.js';
import { presentedToken } from './session-token.js';

/** Lets in whoever holds a session; a browser, which sends its cookie unasked, must prove that the page meant it. */
@Injectable()
export class SessionAdmission extends AdminAdmission {
  constructor(private readonly sessions: AdminSessions) {
    super();
  }

  async admit({ headers }: FastifyRequest): Promise<void> {
    await this.sessions.find(presentedToken(headers).token);
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

/** Browsers name the origin of the page that sends; the scheme may be that of a proxy before us. */
function refuseOtherOrigin({ origin, host = '' }: IncomingHttpHeaders): void {
  if (origin === undefined) return;
  if (URL.canParse(origin) && new URL(origin).host === host.toLowerCase()) return;
  throw new DomainError('csrf_token_invalid', 'This request comes from a page of another origin.');
}
