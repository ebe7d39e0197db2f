import type { FastifyRequest } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';
import type { Caller } from '@application/projects/caller';
import { policyOf } from '../routes/route-policy.js';
import type { Step } from './step.js';

/** Refuses with `insufficient_scope`, and an administrator's request with `csrf_token_invalid`. */
export const authorize: Step = (request, _reply, { admins }) => {
  const policy = policyOf(request);
  if (policy?.access === 'admin') admins.permit(request);
  if (policy?.access !== 'project' || callerOf(request).scopes.includes(policy.scope)) return;
  const { scope } = policy;
  throw new DomainError('insufficient_scope', `This API key lacks the scope ${scope}.`, { extras: { required_scope: scope } });
};

/** Refuses with `rate_limit_exceeded`; says in headers what is left. */
export const takeRateLimitToken: Step = (request, reply, { rateLimits }) => {
  const policy = policyOf(request);
  if (policy?.access === 'project') rateLimits.take(callerOf(request), policy.rate, reply);
};

/** The caller of a request to a route of the client API. */
function callerOf({ state: { caller } }: FastifyRequest): Caller {
  if (!caller) throw new DomainError('api_key_missing', 'Send an API key.');
  return caller;
}
