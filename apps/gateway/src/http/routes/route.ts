import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { ErrorCode } from '@domain/kernel/domain-error';
import type { IdKind } from '@domain/kernel/ids';
import type { Filters } from '../paging/list-filters.js';
import type { Answer, ProjectRoute } from './project-route.js';
import { documentRoute } from '../docs/route-docs.js';
import type { RoutePolicy } from './routes.js';

export interface ListRoute extends Pick<ProjectRoute, 'scope' | 'name' | 'summary' | 'about' | 'errors'> {
  readonly filters: NonNullable<ProjectRoute['filters']>;
  /** The resource of an item. */
  readonly resource: Type<object>;
  /** The kind of the items' ids. */
  readonly kind: IdKind;
  readonly first?: Answer['first'];
}

export interface AdminRoute {
  /** 200 when absent. */
  readonly status?: number;
  readonly body?: Type<object>;
  /** Needs no session. */
  readonly login?: true;
  /** The filters of a list, which has them beside the parameters of every list. */
  readonly filters?: Filters;
  /** Never replays an answer, whatever the `Idempotency-Key`: an answer that opens a session is given once. */
  readonly neverRepeated?: boolean;
}

/** Declares a route of the client API: its policy and its documentation. */
export function Route(route: ProjectRoute): MethodDecorator {
  const { scope, rate, body = null, answers, versioned = false, openAnswers = false, filters = null } = route;
  const pages = answers[0].list !== undefined;
  const policy: RoutePolicy = { access: 'project', scope, rate, body, versioned, openAnswers, pages, filters };
  return applyDecorators(RouteConfig({ policy }), HttpCode(answers[0].status), documentRoute(route));
}

const REFUSALS_OF_LISTS: readonly ErrorCode[] = ['parameter_invalid', 'parameter_conflict', 'cursor_invalid'];

/** Declares a route of the client API that answers with a page of a list. */
export function ListRoute({ resource, kind, first = 'newest', errors = [], ...route }: ListRoute): MethodDecorator {
  const page = { status: 200, description: `A page of the list, ${first} first.`, resource, list: kind, first } as const;
  return Route({ ...route, rate: 'read', answers: [page], errors: [...REFUSALS_OF_LISTS, ...errors] });
}

/** Declares a route of the admin API. */
export function AdminRoute({ status = 200, body, login, neverRepeated = false, filters }: AdminRoute = {}): MethodDecorator {
  const policy: RoutePolicy = { access: login ? 'login' : 'admin', body: body ?? null, neverRepeated, filters: filters ?? null };
  return applyDecorators(RouteConfig({ policy }), HttpCode(status));
}
