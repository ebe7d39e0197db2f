import { APPOINTMENT_STATUSES } from '@domain/appointment/appointment';
import { exactly, idOf, severalOf, timeRange, type Filters } from '../http/paging/list-filters.js';
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
