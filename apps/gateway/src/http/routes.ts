import findMyWay from 'find-my-way';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';

/** Which methods a path answers: the framework itself says 404 to a wrong method. */
export class Routes {
  private readonly router = findMyWay();
  private readonly methods = new Set<string>();

  /** Must be called before the first route is made. */
  collectFrom(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) {
        if (this.router.hasRoute(one as 'GET', url)) continue;
        this.router.on(one as 'GET', url, () => undefined);
        this.methods.add(one);
      }
    });
  }

  /** The refusal of a request that no route took, and what to put into `Allow`. */
  refusalOf({ method, url }: FastifyRequest): { readonly refusal: DomainError; readonly allow: string | null } {
    const [path = ''] = url.split('?');
    const allowed = [...this.methods].filter((one) => this.router.find(one as 'GET', path) !== null);
    if (allowed.length === 0) return { refusal: new DomainError('route_not_found', 'No such endpoint.'), allow: null };
    const refusal = new DomainError('method_not_allowed', `${method} is not possible here.`);
    return { refusal, allow: allowed.sort().join(', ') };
  }
}
