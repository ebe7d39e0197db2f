import { DomainError } from '@domain/kernel/domain-error';
import { hasEmptyPart, routeNotFound } from '../routes/routes.js';
import { RequestState } from './request-state.js';
import type { Step } from './step.js';

/** Gives the request its state and the answer its name. */
export const nameRequest: Step = (request, reply, { responses }) => {
  request.state = new RequestState();
  responses.begin();
  void reply.header('request-id', request.id).header('cache-control', 'no-store');
};

/** HTTP/1.1 requires `Host`; Node's own refusal would not be the contract's error object. */
export const requireHost: Step = ({ headers, raw }) => {
  if (headers.host !== undefined || raw.httpVersion !== '1.1') return;
  throw new DomainError('parameter_missing', 'A request in HTTP/1.1 names its Host.', { param: 'Host' });
};

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
