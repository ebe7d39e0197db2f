import type { FastifyRequest } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';
import type { Caller } from '@application/projects/caller';
import { JsonBody, RefusedBody } from '../body/json-body.js';
import { validBody } from '../body/valid-body.js';
import { hasEmptyPart, isOfProject, policyOf, routeNotFound, type RateClass } from '../routes/routes.js';
import type { Query } from '../paging/list-filters.js';
import { warnOfMembers, warnOfParameters } from '../warnings/warn-of-members.js';
import { readKey } from './idempotency.step.js';
import { matchedVersion } from './if-match.js';
import { RequestState } from './request-state.js';
import { valuesSent } from './values-sent.js';
import type { Step } from './step.js';

const PLACE_AGAIN_AFTER_SECONDS = 2;

export const nameRequest: Step = (request, reply, { responses }) => {
  request.state = new RequestState();
  responses.begin();
  void reply.header('request-id', request.id).header('cache-control', 'no-store');
};

/** HTTP/1.1 requires exactly one `Host`. Node's own refusal is not the contract's error object, and it ignores a second one. */
export const requireHost: Step = ({ headers, raw }) => {
  if (valuesSent('host', raw).length > 1) throw sentTwice('Host');
  // Node takes the first of several: a proxy in front may have checked another.
  if (valuesSent('authorization', raw).length > 1) throw sentTwice('Authorization');
  if (headers.host !== undefined || raw.httpVersion !== '1.1') return;
  throw new DomainError('parameter_missing', 'A request in HTTP/1.1 names its Host.', { param: 'Host' });
};

function sentTwice(name: string): DomainError {
  return new DomainError('parameter_invalid', `${name} is sent more than once.`, { param: name });
}

/** Refuses with `route_not_found`, or with `method_not_allowed` and `Allow`. */
export const findRoute: Step = (request, reply, { routes }) => {
  if (!request.is404) {
    if (hasEmptyPart(request.params)) throw routeNotFound();
    return;
  }
  const { refusal, allow } = routes.refusalOf(request);
  if (allow !== null) void reply.header('allow', allow);
  throw refusal;
};

/** Refuses with `insufficient_scope`, and an administrator's request with `csrf_token_invalid`. */
export const authorize: Step = (request, _reply, { admins }) => {
  const policy = policyOf(request);
  if (policy?.access === 'admin' || policy?.access === 'admin-project') admins.permit(request);
  if (policy?.access !== 'project' || callerOf(request).scopes.includes(policy.scope)) return;
  const { scope } = policy;
  throw new DomainError('insufficient_scope', `This API key lacks the scope ${scope}.`, { extras: { required_scope: scope } });
};

/** Sets the rate limit headers. Refuses with `rate_limit_exceeded`, if the body may be of another class once that is known. */
const takeRateLimitToken: Step = (request, reply, { rateLimits }) => {
  const policy = policyOf(request);
  if (policy?.access !== 'project') return;
  try {
    rateLimits.take(callerOf(request), policy.rate, reply);
  } catch (refusal) {
    if (!policy.classByBody) throw refusal;
    request.state.rateRefusal = refusal as Error;
  }
};

interface HasRateClass {
  readonly rateClass?: RateClass;
}

/** Takes the token of the body's own class in place of the route's. Refuses with `rate_limit_exceeded`. */
export const settleRateClass: Step = (request, reply, { rateLimits }) => {
  const policy = policyOf(request);
  if (policy?.access !== 'project' || !policy.classByBody) return;
  const { rateRefusal } = request.state;
  const { rateClass } = request.body as HasRateClass;
  if (rateClass !== undefined) {
    if (!rateRefusal) rateLimits.giveBack(callerOf(request), policy.rate);
    rateLimits.take(callerOf(request), rateClass, reply);
  } else if (rateRefusal) throw rateRefusal;
};

/** Checks the head before the body arrives, which may be slow. `refuseByHead` throws the result in the contract's order. */
export const judgeHead: Step = (request, reply, services) => {
  try {
    for (const step of [readKey, authorize, takeRateLimitToken]) void step(request, reply, services);
  } catch (refusal) {
    request.state.headRefusal = request.state.lateRefusal = refusal as Error;
  }
};

export const refuseByHead: Step = ({ state: { headRefusal } }) => {
  if (headRefusal) throw headRefusal;
};

/** For a write, which may wait long for its body. */
export const takePlace: Step = (request, _reply, { places }) => {
  const policy = policyOf(request);
  if (policy?.access !== 'project' || policy.rate === 'read' || request.state.headRefusal) return;
  request.state.place = places.enter(callerOf(request).projectId);
  if (!request.state.place) request.state.lateRefusal = noPlace();
};

/** A message keeps its place until its reply, or is refused with `rate_limit_exceeded` where it had none. */
export const keepPlace: Step = (request) => {
  const policy = policyOf(request);
  const { state } = request;
  if (policy?.access === 'project' && policy.rate === 'messages') {
    if (!state.place) throw noPlace();
    return;
  }
  state.place?.leave();
  state.place = null;
};

function noPlace(): DomainError {
  const message = 'Too many requests of this project wait for their bodies or replies already.';
  return new DomainError('rate_limit_exceeded', message, { retryAfter: PLACE_AGAIN_AFTER_SECONDS });
}

/** Warns of members and parameters that the route does not read. They are no error. */
export const warnOfUnknown: Step = (request) => {
  const policy = policyOf(request);
  if (!policy) return;
  const { body, query, state } = request;
  warnOfParameters(query as Query, policy, state.warnings);
  if (body instanceof JsonBody) warnOfMembers(body.members, policy.body, state.warnings);
};

interface HasWarnings {
  /** Sentences for `Service-Warning`; called on a valid body. */
  warnings(): readonly string[];
}

/** Creates the route's DTO, which controllers get by `@Body()`; checks `If-Match`. */
export const validate: Step = (request) => {
  const policy = policyOf(request);
  if (!policy) return;
  const { body, state } = request;
  if (body instanceof RefusedBody) throw body.refusal;
  if (body instanceof JsonBody) state.body = body;
  const dto = policy.body ? validBody(policy.body, state.body) : undefined;
  for (const text of (dto as Partial<HasWarnings> | undefined)?.warnings?.() ?? []) state.warnings.add(() => text);
  request.body = dto;
  if (isOfProject(policy) && policy.versioned) matchedVersion(request.headers);
};

/** Refuses with `resource_missing` where an administrator's path names an unknown project. */
export const findProject: Step = (request, _reply, { admins }) => {
  if (policyOf(request)?.access !== 'admin-project') return undefined;
  const { project_id: projectId = '' } = request.params as { project_id?: string };
  return admins.callerIn(projectId).then((caller) => void (request.state.caller = caller));
};

/** Comes before the key's claim: a replay is as long as the first answer. */
export const reserveAnswer: Step = (request, _reply, { answerBudget }) => {
  request.state.reserveAnswer = () => answerBudget.reserve(request);
  return request.state.reserveAnswer();
};

function callerOf({ state: { caller } }: FastifyRequest): Caller {
  if (!caller) throw new DomainError('api_key_missing', 'Send an API key.');
  return caller;
}
