import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ApiKeys } from '@application/projects/api-keys';
import { AdminAdmission } from './admin-admission.js';
import { bearerOf } from './bearer.js';
import { policyOf } from '../routes/route-policy.js';

/** Who is asking, settled before anything else of a request is looked at. */
@Injectable()
export class Authentication {
  constructor(
    private readonly apiKeys: ApiKeys,
    private readonly admins: AdminAdmission,
  ) {}

  /**
   * Null when there is nothing to wait for. A route's own policy decides: the path as it was sent can be spelled in
   * many ways. By the path go only requests that no route took.
   */
  admit(request: FastifyRequest): Promise<void> | null {
    switch (policyOf(request)?.access ?? claimedArea(request)) {
      case 'project':
        return this.authenticate(request);
      case 'admin':
        return this.admins.admit(request);
      case 'login':
      case 'open':
        return null;
    }
  }

  private async authenticate(request: FastifyRequest): Promise<void> {
    request.caller = await this.apiKeys.authenticate(bearerOf(request.headers));
  }
}

function claimedArea({ url }: FastifyRequest): 'project' | 'admin' | 'open' {
  if (isBelow('/v1', url)) return 'project';
  return isBelow('/admin/v1', url) ? 'admin' : 'open';
}

function isBelow(prefix: string, url: string): boolean {
  if (!url.startsWith(prefix)) return false;
  const next = url.charAt(prefix.length);
  return next === '/' || next === '' || next === '?';
}
