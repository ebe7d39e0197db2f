import { JsonBody, RefusedBody } from '../body/json-body.js';
import { validBody } from '../body/valid-body.js';
import { policyOf } from '../routes/route-policy.js';
import { matchedVersion } from './if-match.js';
import type { Step } from './step.js';

/** Makes the route's DTO of the body, which `@Body()` hands to the controller; checks `If-Match`. */
export const validate: Step = (request) => {
  const policy = policyOf(request);
  if (!policy) return;
  const { body, state } = request;
  if (body instanceof RefusedBody) throw body.refusal;
  if (body instanceof JsonBody) state.body = body;
  request.body = policy.body ? validBody(policy.body, state.body) : undefined;
  if (policy.access === 'project' && policy.versioned) matchedVersion(request.headers);
};
