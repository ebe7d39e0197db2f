import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AdminSessions } from '@application/admin/admin-sessions';
import type { Caller } from '@application/projects/caller';
import { ProjectDirectory } from '@application/projects/project-directory';
import { DomainError } from '@domain/kernel/domain-error';
import { SCOPES } from '@domain/project/scope';
import { AdminAdmission } from '../http/pipeline/admin-admission.js';
import { presentedToken } from './presented-token.js';

/** Authenticates admins by session. Browsers send cookies by themselves, so cookie requests also need a CSRF token. */
@Injectable()
export class SessionAdmission extends AdminAdmission {
  constructor(
    private readonly sessions: AdminSessions,
    private readonly projects: ProjectDirectory,
  ) {
    super();
  }

  async admit(request: FastifyRequest): Promise<void> {
    const { token, byCookie } = presentedToken(request.headers);
    if (byCookie) this.refuseOtherOrigin(request);
    request.state.adminSession = (await this.sessions.find(token)).id;
  }

  /** Compares hosts only: behind a proxy the scheme of `Origin` may differ. */
  refuseOtherOrigin({ headers: { origin, host = '' } }: FastifyRequest): void {
    if (origin === undefined) return;
    if (URL.canParse(origin) && new URL(origin).host === host.toLowerCase()) return;
    throw new DomainError('csrf_token_invalid', 'This request comes from a page of another origin.');
  }

  permit({ method, headers }: FastifyRequest): void {
    const { token, byCookie } = presentedToken(headers);
    if (!byCookie || method === 'GET') return;
    const proof = headers['x-csrf-token'];
    if (token !== null && typeof proof === 'string' && this.sessions.isCsrfToken(token, proof)) return;
    throw new DomainError('csrf_token_invalid', "Send the session's CSRF token in X-CSRF-Token.");
  }

  async callerIn(projectId: string): Promise<Caller> {
    const project = await this.projects.find(projectId, 'project_id');
    const { replyWindowMs, rateLimits } = this.projects.settingsOf(project);
    return { projectId, keyId: null, scopes: SCOPES, replyWindowMs, rateLimits };
  }
}
