import { applyDecorators, HttpCode, SetMetadata, type Type } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { ItemId } from '@application/paging/item-id';
import type { ErrorCode } from '@domain/kernel/domain-error';
import { ADMINS, CLIENTS, VISITORS } from '../docs/audience.js';
import { documentRoute } from '../docs/route-docs.js';
import type { Answer, DocumentedRoute, ProjectRoute } from './project-route.js';
import type { OfProject, RoutePolicy } from './routes.js';

export interface ListRoute extends Pick<ProjectRoute, 'scope' | 'name' | 'summary' | 'about' | 'errors'> {
  readonly filters: NonNullable<ProjectRoute['filters']>;
  readonly resource: Type<object>;
  readonly kind: ItemId;
  readonly first?: Answer['first'];
}

export interface AdminRoute extends DocumentedRoute {
  /** Needs no session. */
  readonly login?: true;
  /** Ignores `Idempotency-Key`: an answer that opens a session is given only once. */
  readonly neverRepeated?: true;
}

export type AdminListRoute = Omit<ListRoute, 'scope'>;

type AdminProjectRoute = Omit<ProjectRoute, 'scope' | 'rate' | 'classByBody'>;

const PROJECT_ROUTE = 'projectRoute';

export function Route(route: ProjectRoute): MethodDecorator {
  const { scope, rate, classByBody = false, answers } = route;
  const policy: RoutePolicy = { access: 'project', scope, rate, classByBody, ...takenBy(route) };
  const docs = documentRoute(route, CLIENTS);
  return applyDecorators(RouteConfig({ policy }), HttpCode(answers[0].status), SetMetadata(PROJECT_ROUTE, route), docs);
}

/** What `Route` declared of a handler; undefined for other methods. */
export function projectRouteOf(handler: object): ProjectRoute | undefined {
  return Reflect.getMetadata(PROJECT_ROUTE, handler) as ProjectRoute | undefined;
}

/**
 * A route for an administrator in the project that its path names as `project_id`; `controller` is the name of its class in the
 * client API, if it is one of it.
 */
export function AdminProjectRoute(route: AdminProjectRoute, controller?: string): MethodDecorator {
  const policy: RoutePolicy = { access: 'admin-project', ...takenBy(route) };
  return applyDecorators(RouteConfig({ policy }), documentRoute(route, ADMINS, controller));
}

export function AdminProjectListRoute(list: AdminListRoute): MethodDecorator {
  return AdminProjectRoute(pageOf(list));
}

function takenBy(route: AdminProjectRoute): OfProject {
  const { body = null, versioned = false, openAnswers = false, filters = null, joins = false } = route;
  return { body, versioned, openAnswers, filters, joins, pages: isList(route) };
}

function isList({ answers }: DocumentedRoute): boolean {
  return answers[0].list !== undefined;
}

export function ListRoute(list: ListRoute): MethodDecorator {
  return Route({ ...pageOf(list), scope: list.scope, rate: 'read' });
}

export function AdminRoute(route: AdminRoute): MethodDecorator {
  const { answers, body = null, login, neverRepeated = false, filters = null } = route;
  const policy: RoutePolicy = { access: login ? 'login' : 'admin', body, neverRepeated, filters, pages: isList(route) };
  const docs = documentRoute(route, login ? VISITORS : ADMINS);
  return applyDecorators(RouteConfig({ policy }), HttpCode(answers[0].status), docs);
}

export function AdminListRoute(list: AdminListRoute): MethodDecorator {
  return AdminRoute(pageOf(list));
}

const REFUSALS_OF_LISTS: readonly ErrorCode[] = ['parameter_invalid', 'parameter_conflict', 'cursor_invalid'];

function pageOf({ resource, kind, first = 'newest', errors = [], ...route }: AdminListRoute): DocumentedRoute {
  const page = { status: 200, description: `A page of the list, ${first} first.`, resource, list: kind, first } as const;
  return { ...route, answers: [page], errors: [...REFUSALS_OF_LISTS, ...errors] };
}
