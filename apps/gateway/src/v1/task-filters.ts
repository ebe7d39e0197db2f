import { TASK_STATUSES } from '@domain/task/task.events';
import { withMeanings } from '../http/docs/with-meanings.js';
import { exactly, idOf, oneOf, timeRange } from '../http/paging/list-filters.js';
import { TASK_STATUS } from './meanings.js';

export const TASK_FILTERS = {
  kind: exactly('Only tasks of this kind.', 'kind'),
  status: oneOf(withMeanings('Only tasks in this status.', TASK_STATUS), 'status', TASK_STATUSES),
  webhook_endpoint_id: idOf('endpoint', 'Only tasks about this endpoint.', 'endpointId'),
  created_at: timeRange('Only tasks asked for', 'createdAt'),
};
