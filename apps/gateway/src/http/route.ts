import { applyDecorators, HttpCode } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { ClassConstructor } from 'class-transformer';
import type { ErrorCode } from '@domain/kernel/domain-error';
import type { Scope } from '@domain/project/scope';
import { documented, type Answer } from './route-docs.js';
import type { Filters } from './list-query.js';
import type { RateClass, RoutePolicy } from './route-policy.js';

export interface ProjectRoute {
  readonly scope: Scope;
  readonly rate: RateClass;
  /** One line for the documentation. */
  readonly summary: string;
  readonly body?: ClassConstructor<object>;
  /** The first is what a handler answers with unless it says otherwise. */
  readonly answers: readonly [Answer, ...Answer[]];
  /** Takes `If-Match`. */
  readonly versioned?: true;
  /** Present on lists. */
  readonly filters?: Filters;
  /** What it refuses with, beyond what every route does. */
  readonly errors?: readonly ErrorCode[];
}

export interface AdminRoute {
  /** 200 when absent. */
  readonly status?: number;
  readonly body?: ClassConstructor<object>;
  /** Open to whoever has no session yet. */
  readonly login?: true;
}

/** A route of the client API: who may call it, what it takes, and how it is documented. */
export function Route(route: ProjectRoute): MethodDecorator {
  const { scope, rate, body = null, answers } = route;
  const policy: RoutePolicy = { access: 'project', scope, rate, body };
  return applyDecorators(RouteConfig({ policy }), HttpCode(answers[0].status), documented(route));
}

/** A route of the admin API. */
export function AdminRoute({ status = 200, body, login }: AdminRoute = {}): MethodDecorator {
  const policy: RoutePolicy = { access: login ? 'login' : 'admin', body: body ?? null };
  return applyDecorators(RouteConfig({ policy }), HttpCode(status));
}
