import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';

/** A fresh delivery of the same event to the same endpoint. */
export function replayDelivery(project_id: string, id: string) {
  return answerOf(api.POST('/admin/v1/projects/{project_id}/deliveries/{id}/retry', { params: { path: { project_id, id } } }));
}

export function cancelDelivery(project_id: string, id: string) {
  return answerOf(api.POST('/admin/v1/projects/{project_id}/deliveries/{id}/cancel', { params: { path: { project_id, id } } }));
}
