import type { ClassConstructor } from 'class-transformer';
import type { FastifyRequest } from 'fastify';
import type { Scope } from '@domain/project/scope';

/** The rate limit that applies to a request. */
export type RateClass = 'read' | 'write' | 'messages' | 'registration';

/** What the request pipeline checks before the handler of a route runs. */
export type RoutePolicy = ProjectPolicy | AdminPolicy;

interface ProjectPolicy {
  readonly access: 'project';
  readonly scope: Scope;
  readonly rate: RateClass;
  readonly body: ClassConstructor<object> | null;
  /** Whether it accepts `If-Match`. */
  readonly versioned: boolean;
  /** Whether answers may be kept without encryption, see `ProjectRoute.openAnswers`. */
  readonly openAnswers: boolean;
  /** Whether it answers with pages of a list. */
  readonly pages: boolean;
}

/** `login` needs no session, `admin` needs one. */
interface AdminPolicy {
  readonly access: 'admin' | 'login';
  readonly body: ClassConstructor<object> | null;
  /** Whether answers are never replayed: the `Idempotency-Key` is validated and then ignored. */
  readonly neverRepeated: boolean;
}

/** The policy of the matched route; null for routes that anybody may call. */
export function policyOf(request: FastifyRequest): RoutePolicy | null {
  return (request.routeOptions.config as { policy?: RoutePolicy }).policy ?? null;
}
