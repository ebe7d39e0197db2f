import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AdminSessions } from '@application/admin/admin-sessions';
import { DomainError } from '@domain/kernel/domain-error';
import { AdminAdmission } from '../http/admin-admission.js';
import { presentedToken } from './session-token.js';

/** Lets in whoever holds a session; a browser, which sends its cookie unasked, must prove that the page meant it. */
@Injectable()
export class SessionAdmission extends AdminAdmission {
  constructor(private readonly sessions: AdminSessions) {
    super();
  }

  async admit({ method, headers }: FastifyRequest): Promise<void> {
    const { token, byCookie } = presentedToken(headers);
    const session = await this.sessions.find(token);
    if (!byCookie || method === 'GET') return;
    const proof = headers['x-csrf-token'];
    if (typeof proof === 'string' && this.sessions.isCsrfToken(session, proof)) return;
    throw new DomainError('csrf_token_invalid', "Send the session's CSRF token in X-CSRF-Token.");
  }
}
