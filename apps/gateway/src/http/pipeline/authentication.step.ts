import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { policyOf } from '../routes/routes.js';
import type { Step } from './step.js';

const BEARER = /^Bearer +([^\s]+)$/i;
/** A key may be revoked while a slow body arrives. */
const AUTHENTICATED_FOR_MS = 1_000;

/** The route decides which credential counts, as a path has many spellings; the path decides only without a route. */
export const authenticate: Step = (request, _reply, { apiKeys, admins }) => {
  switch (policyOf(request)?.access ?? areaOf(request)) {
    case 'project':
      return apiKeys.authenticate(bearerOf(request.headers)).then((caller) => void (request.state.caller = caller));
    case 'admin':
    case 'admin-project':
      return admins.admit(request);
    case 'login':
      return admins.refuseOtherOrigin(request);
    case 'open':
      return undefined;
  }
};

/** If the body took longer than a second to arrive. */
export const authenticateAgain: Step = (request, reply, services) =>
  reply.elapsedTime > AUTHENTICATED_FOR_MS ? authenticate(request, reply, services) : undefined;

export function bearerOf({ authorization = '' }: IncomingHttpHeaders): string | null {
  return BEARER.exec(authorization)?.[1] ?? null;
}

/** The part of the API that a path without a route belongs to. */
export function areaOf({ url }: Pick<FastifyRequest, 'url'>): 'project' | 'admin' | 'open' {
  if (isBelow('/v1', url)) return 'project';
  return isBelow('/admin/v1', url) ? 'admin' : 'open';
}

function isBelow(prefix: string, url: string): boolean {
  if (!url.startsWith(prefix)) return false;
  const next = url.charAt(prefix.length);
  return next === '/' || next === '' || next === '?';
}
