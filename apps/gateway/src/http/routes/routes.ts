import type { Type } from '@nestjs/common';
import findMyWay from 'find-my-way';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';
import type { Scope } from '@domain/project/scope';
import type { Filters } from '../paging/list-filters.js';
import { MAX_HEADER_BYTES } from '../pipeline/request-bounds.js';

export type RateClass = 'read' | 'write' | 'messages' | 'registration';

export type RoutePolicy = ProjectPolicy | AdminProjectPolicy | AdminPolicy;

/** What a route of the client API takes, for clients and administrators alike. */
export interface OfProject {
  readonly body: Type<object> | null;
  readonly versioned: boolean;
  /** Whether answers may be kept unencrypted, see `ProjectRoute.openAnswers`. */
  readonly openAnswers: boolean;
  /** Whether requests with one key join each other, and an answer 202 is not the key's, see `ProjectRoute.joins`. */
  readonly joins: boolean;
  /** Null where no query parameter is read. */
  readonly filters: Filters | null;
  /** Whether the answer is a list. */
  readonly pages: boolean;
}

interface ProjectPolicy extends OfProject {
  readonly access: 'project';
  readonly scope: Scope;
  readonly rate: RateClass;
  /** Whether the body may be of another class than `rate`. */
  readonly classByBody: boolean;
}

/** For an administrator, who has every scope and no share of the project's limits; the path names the project. */
interface AdminProjectPolicy extends OfProject {
  readonly access: 'admin-project';
}

/** `login` needs no session, `admin` needs one. */
interface AdminPolicy {
  readonly access: 'admin' | 'login';
  readonly body: Type<object> | null;
  readonly filters: Filters | null;
  readonly pages: boolean;
  readonly neverRepeated: boolean;
}

/** Null for public routes. */
export function policyOf(request: FastifyRequest): RoutePolicy | null {
  return (request.routeOptions.config as { policy?: RoutePolicy }).policy ?? null;
}

/** Whether it is a route of the client API, for a client or for an administrator. */
export function isOfProject(policy: RoutePolicy | null): policy is ProjectPolicy | AdminProjectPolicy {
  return policy?.access === 'project' || policy?.access === 'admin-project';
}

/** Whether a path parameter is empty, as with a trailing slash. */
export function hasEmptyPart(params: unknown): boolean {
  return Object.entries(params ?? {}).some(([name, value]) => name !== '*' && value === '');
}

export function routeNotFound(): DomainError {
  return new DomainError('route_not_found', 'No such endpoint.');
}

/** Knows which methods a path supports: Fastify itself answers a wrong method with 404. */
export class Routes {
  private readonly known: { readonly method: string; readonly url: string }[] = [];
  private made: ReturnType<typeof findMyWay> | null = null;

  /** Must be called before the first route is registered. */
  collectFrom(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) this.known.push({ method: one, url });
    });
  }

  /** For a request without a route: 404, or 405 with the value of `Allow`. */
  refusalOf({ method, url }: FastifyRequest): { readonly refusal: DomainError; readonly allow: string | null } {
    const [path = ''] = url.split('?');
    const router = (this.made ??= this.router());
    const methods = new Set(this.known.map(({ method: one }) => one));
    const allowed = [...methods].filter((one) => {
      const found = router.find(one as 'GET', path);
      return found !== null && !hasEmptyPart(found.params);
    });
    if (allowed.length === 0) return { refusal: routeNotFound(), allow: null };
    const refusal = new DomainError('method_not_allowed', `${method} is not possible here.`);
    return { refusal, allow: allowed.sort().join(', ') };
  }

  private router(): ReturnType<typeof findMyWay> {
    const router = findMyWay({ maxParamLength: MAX_HEADER_BYTES });
    for (const { method, url } of this.known)
      if (!router.hasRoute(method as 'GET', url)) router.on(method as 'GET', url, () => undefined);
    return router;
  }
}
