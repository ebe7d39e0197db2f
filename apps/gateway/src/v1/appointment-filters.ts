import { APPOINTMENT_STATUSES } from '@domain/appointment/appointment';
import { instantOf } from '@domain/kernel/instant';
import {
  exactly,
  idOf,
  readFilter,
  refuse,
  severalOf,
  timeRange,
  type Filters,
  type Query,
} from '../http/paging/list-filters.js';
import { APPOINTMENT_STATUS } from './meanings.js';
import { withMeanings } from '../http/docs/with-meanings.js';

export const APPOINTMENT_FILTERS: Filters = {
  status: severalOf(
    withMeanings('Only appointments in one of these statuses, separated by commas.', APPOINTMENT_STATUS),
    'status',
    APPOINTMENT_STATUSES,
  ),
  customer_id: idOf('customer', 'Only appointments with this customer.', 'customerId'),
  session_id: idOf('session', 'Only appointments booked on this call.', 'sessionId'),
  conversation_id: idOf(
    'conversation',
    'Only appointments booked in this conversation, or on a call that belongs to it.',
    'conversationId',
  ),
  resource_id: exactly('Only appointments that occupy this resource.', 'resourceId'),
  external_id: exactly("Only appointments with this id of the client's.", 'externalId'),
  starts_at: timeRange('Only appointments that start', 'startsAt'),
  updated_at: timeRange('Only appointments last changed', 'updatedAt'),
  created_at: timeRange('Only appointments booked', 'createdAt'),
};

export const AS_OF: Filters = {
  as_of: {
    kind: 'text',
    schema: { type: 'string', format: 'date-time' },
    description:
      'Shows the appointment as it was at this time: ISO 8601 with an offset, such as 2026-03-01T09:00:00Z. A time to come is now. Answers without `ETag`.',
    read: (text) => {
      const value = instantOf(text);
      return value === null
        ? refuse('parameter_invalid', 'takes a time such as 2026-03-01T09:00:00Z')
        : [[{ field: 'at', op: 'lte', value }]];
    },
  },
};

/** Epoch milliseconds; null where none is asked for. Throws `parameter_invalid`. */
export function asOfIn(query: Query): number | null {
  const [[condition] = []] = readFilter(query, AS_OF);
  return condition ? Number(condition.value) : null;
}
