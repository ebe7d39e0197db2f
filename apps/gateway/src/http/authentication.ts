import { Injectable, Optional } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiKeys } from '@application/projects/api-keys';
import { AdminAdmission } from './admin-admission.js';
import { policyOf } from './route-policy.js';

const BEARER = /^Bearer +([^\s]+) *$/i;

/** Who is asking, settled before anything else of a request is looked at. */
@Injectable()
export class Authentication {
  constructor(
    private readonly apiKeys: ApiKeys,
    @Optional() private readonly admins: AdminAdmission | null,
  ) {}

  /** Null when there is nothing to wait for: outside /v1 and /admin/v1 everything is open. */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<void> | null {
    const { url } = request;
    if (isBelow('/v1', url)) return this.admitKey(request);
    if (!this.admins || !isBelow('/admin/v1', url) || policyOf(request)?.access === 'login') return null;
    return this.admins.admit(request, reply);
  }

  private async admitKey(request: FastifyRequest): Promise<void> {
    request.caller = await this.apiKeys.authenticate(bearerOf(request));
  }
}

/** The token of an `Authorization: Bearer …` header. */
export function bearerOf({ headers }: FastifyRequest): string | null {
  return BEARER.exec(headers.authorization ?? '')?.[1] ?? null;
}

function isBelow(prefix: string, url: string): boolean {
  if (!url.startsWith(prefix)) return false;
  const next = url.charAt(prefix.length);
  return next === '/' || next === '' || next === '?';
}
