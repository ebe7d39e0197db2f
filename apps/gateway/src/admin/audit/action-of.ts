import type { FastifyRequest } from 'fastify';
import { areaOf } from '../../http/pipeline/authentication.step.js';
import { UNROUTED } from '../../http/pipeline/response-hooks.js';

/** Whether the request is one to the admin API that may change something. */
export function isAuditable({ method, url, routeOptions }: FastifyRequest): boolean {
  return method !== 'GET' && areaOf({ url: routeOptions.url ?? url }) === 'admin';
}

/** Method and route, such as `PATCH /admin/v1/projects/{id}`. A path without a route could contain anything. */
export function actionOf({ method, routeOptions: { url } }: FastifyRequest): string {
  return `${method} ${url === undefined ? UNROUTED : url.replaceAll(/:(\w+)/g, '{$1}')}`;
}
