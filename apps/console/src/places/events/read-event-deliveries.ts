import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import type { PageQuery } from '../../parts/list.js';

/** A page of an event's deliveries, oldest first. */
export function readEventDeliveries(project: string, id: string, page: PageQuery & { readonly limit?: number }) {
  const of = { params: { path: { project_id: project, id }, query: { order: 'asc' as const, ...page } } };
  return answerOf(api.GET('/admin/v1/projects/{project_id}/events/{id}/deliveries', of));
}
