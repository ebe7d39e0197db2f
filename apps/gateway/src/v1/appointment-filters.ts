import { APPOINTMENT_STATUSES } from '@domain/appointment/appointment';
import { exactly, idOf, severalOf, timeRange, type Filters } from '../http/paging/list-filters.js';

export const APPOINTMENT_FILTERS: Filters = {
  status: severalOf('Only those in one of these statuses, separated by commas.', 'status', APPOINTMENT_STATUSES),
  customer_id: idOf('customer', 'Only those of this customer.', 'customerId'),
  session_id: idOf('session', 'Only those booked on this call.', 'sessionId'),
  conversation_id: idOf('conversation', 'Only those booked in this conversation.', 'conversationId'),
  resource_id: exactly('Only those of this resource.', 'resourceId'),
  external_id: exactly("Only those with this id of the client's.", 'externalId'),
  starts_at: timeRange('When it starts.', 'startsAt'),
  updated_at: timeRange('When it last changed.', 'updatedAt'),
  created_at: timeRange('When it was booked.', 'createdAt'),
};
