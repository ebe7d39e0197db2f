import type { ClassConstructor } from 'class-transformer';
import type { FastifyRequest } from 'fastify';
import type { Scope } from '@domain/project/scope';

/** Which of a project's buckets a request takes its token from. */
export type RateClass = 'read' | 'write' | 'messages' | 'registration';

/** What a route asks of a request before its handler runs. */
export type RoutePolicy = ProjectPolicy | AdminPolicy;

interface ProjectPolicy {
  readonly access: 'project';
  readonly scope: Scope;
  readonly rate: RateClass;
  readonly body: ClassConstructor<object> | null;
  /** Whether it takes `If-Match`. */
  readonly versioned: boolean;
  /** Whether nothing in an answer is secret. */
  readonly openAnswers: boolean;
  /** Whether it answers pages of a list. */
  readonly pages: boolean;
}

/** `login` is open to everybody, `admin` to a session. */
interface AdminPolicy {
  readonly access: 'admin' | 'login';
  readonly body: ClassConstructor<object> | null;
  /** Whether every request is judged anew: an `Idempotency-Key` is checked and then has no effect. */
  readonly neverRepeated: boolean;
}

/** Null for the open routes. */
export function policyOf(request: FastifyRequest): RoutePolicy | null {
  return (request.routeOptions.config as { policy?: RoutePolicy }).policy ?? null;
}
