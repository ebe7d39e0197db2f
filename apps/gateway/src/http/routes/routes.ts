import findMyWay from 'find-my-way';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';
import { MOST_HEADER_BYTES } from '../pipeline/request-bounds.js';

/** Whether a path has nothing where a route wants an id, as with a slash at its end. */
export function hasEmptyPart(params: unknown): boolean {
  return Object.entries(params ?? {}).some(([name, value]) => name !== '*' && value === '');
}

export function routeNotFound(): DomainError {
  return new DomainError('route_not_found', 'No such endpoint.');
}

/** Which methods a path answers: the framework itself says 404 to a wrong method. */
export class Routes {
  private readonly known: { readonly method: string; readonly url: string }[] = [];
  private made: ReturnType<typeof findMyWay> | null = null;

  /** Must be called before the first route is made. */
  collectFrom(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) this.known.push({ method: one, url });
    });
  }

  /** The refusal of a request that no route took, and what to put into `Allow`. */
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

  /** Made for the first request that goes astray: a start has no use for it. */
  private router(): ReturnType<typeof findMyWay> {
    const router = findMyWay({ maxParamLength: MOST_HEADER_BYTES });
    for (const { method, url } of this.known)
      if (!router.hasRoute(method as 'GET', url)) router.on(method as 'GET', url, () => undefined);
    return router;
  }
}
