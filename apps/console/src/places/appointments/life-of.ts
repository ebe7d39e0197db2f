import type { components } from '../../api/admin-api.js';
import { api } from '../../api/api.js';
import { itemsOf, type Items } from '../../api/items-of.js';
import { answerOf } from '../../api/problem.js';

export type Change = components['schemas']['AppointmentChangeResource'];
export type Delivery = components['schemas']['DeliveryOutlineResource'];

export const CHANGES_A_PAGE = 50;
const MAX_DELIVERIES = 1_000;

/** What happened to an appointment, oldest first: at least so many changes if there are, and the deliveries of their events. */
export interface Life {
  readonly changes: Items<Change>;
  readonly deliveries: Items<Delivery>;
}

/** Reads a life. Rejects with a `Problem`. */
export async function lifeOf(project_id: string, id: string, wanted: number): Promise<Life> {
  const ofChanges = (page: object) => {
    const params = { path: { project_id, id }, query: { limit: CHANGES_A_PAGE, ...page } };
    return answerOf(api.GET('/admin/v1/projects/{project_id}/appointments/{id}/history', { params }));
  };
  const ofDeliveries = (page: object) => {
    const query = { object_id: id, order: 'asc', limit: 100, ...page } as const;
    return answerOf(api.GET('/admin/v1/projects/{project_id}/deliveries', { params: { path: { project_id }, query } }));
  };
  const [changes, deliveries] = await Promise.all([itemsOf(ofChanges, wanted), itemsOf(ofDeliveries, MAX_DELIVERIES)]);
  return { changes, deliveries };
}
