import type { Type } from '@nestjs/common';
import findMyWay from 'find-my-way';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';
import type { Scope } from '@domain/project/scope';
import type { Filters } from '../paging/list-filters.js';
import { MAX_HEADER_BYTES } from '../pipeline/request-bounds.js';

/** The rate limit that applies to a request. */
export type RateClass = 'read' | 'write' | 'messages' | 'registration';

/** What the request pipeline checks before the handler of a route runs. */
export type RoutePolicy = ProjectPolicy | AdminPolicy;

interface ProjectPolicy {
  readonly access: 'project';
  readonly scope: Scope;
  readonly rate: RateClass;
  readonly body: Type<object> | null;
  /** Whether it accepts `If-Match`. */
  readonly versioned: boolean;
  /** Whether answers may be kept without encryption, see `ProjectRoute.openAnswers`. */
  readonly openAnswers: boolean;
  /** Whether it answers with pages of a list. */
  readonly pages: boolean;
  /** The filters of a list; null where no query parameter is read. */
  readonly filters: Filters | null;
}

/** `login` needs no session, `admin` needs one. */
interface AdminPolicy {
  readonly access: 'admin' | 'login';
  readonly body: Type<object> | null;
  /** As of a `ProjectPolicy`. */
  readonly filters: Filters | null;
  /** Whether answers are never replayed: the `Idempotency-Key` is validated and then ignored. */
  readonly neverRepeated: boolean;
}

/** The policy of the matched route; null for routes that anybody may call. */
export function policyOf(request: FastifyRequest): RoutePolicy | null {
  return (request.routeOptions.config as { policy?: RoutePolicy }).policy ?? null;
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

  /** The error of a request that matches no route, 404 or 405, and the value of `Allow` for the latter. */
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

  /** Made at the first request without a route, as a start does not need it. */
  private router(): ReturnType<typeof findMyWay> {
    const router = findMyWay({ maxParamLength: MAX_HEADER_BYTES });
    for (const { method, url } of this.known)
      if (!router.hasRoute(method as 'GET', url)) router.on(method as 'GET', url, () => undefined);
    return router;
  }
}
