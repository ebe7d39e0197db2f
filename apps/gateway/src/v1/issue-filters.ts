import { ISSUE_KIND_NAMES } from '@domain/issue/issue-kinds';
import { ISSUE_STATUSES } from '@domain/issue/issue';
import { withMeanings } from '../http/docs/with-meanings.js';
import { exactly, oneOf, timeRange, type Filters } from '../http/paging/list-filters.js';
import { ISSUE_KIND, ISSUE_STATUS } from './meanings.js';

/** Those of `/v1` and `/admin/v1` alike. */
export const ISSUE_FILTERS: Filters = {
  status: oneOf(withMeanings('Only issues in this status.', ISSUE_STATUS), 'status', ISSUE_STATUSES),
  kind: oneOf(withMeanings('Only issues of this kind.', ISSUE_KIND), 'kind', ISSUE_KIND_NAMES),
  subject_id: exactly('Only issues about this endpoint, project or other subject.', 'subjectId'),
  created_at: timeRange('Only issues first opened', 'createdAt'),
};
