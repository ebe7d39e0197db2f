import { CONVERSATION_STATUSES } from '@domain/conversation/conversation';
import type { Condition, Filter } from '@ports/read-models.port';
import { exactly, idOf, oneOf, timeRange, type Filters } from '../http/paging/list-filters.js';

export const CONVERSATION_FILTERS: Filters = {
  status: oneOf('Only those in this status.', 'status', CONVERSATION_STATUSES),
  external_id: exactly('Only those of this thread.', 'externalId'),
  customer_id: idOf('customer', 'Only those of this customer.', 'customerId'),
  created_at: timeRange('When it was created.', 'createdAt'),
  last_message_at: timeRange('When its last message was stored.', 'lastMessageAt'),
};

/** Matches conversations that have idled out, even if their end is not stored yet. */
export function idledOut(since: number): Condition {
  return { field: 'idleSince', op: 'lte', value: since };
}

/**
 * Rewrites conditions on `status` so that a conversation that idles since `idledOutSince` or earlier counts as ended, even if
 * its end is not stored yet.
 */
export function withIdleEnds(filter: Filter, idledOutSince: number): Filter {
  return filter.flatMap((conditions) => {
    const status = conditions.find(({ field }) => field === 'status')?.value;
    const others = conditions.filter(({ field }) => field !== 'status');
    return statusConditions(status, idledOutSince).map((alternative) => [...others, ...alternative]);
  });
}

function statusConditions(status: Condition['value'] | undefined, idledOutSince: number): Filter {
  const is = (value: Condition['value']): Condition => ({ field: 'status', op: 'eq', value });
  switch (status) {
    case 'active':
      return [
        [is('active'), { field: 'idleSince', op: 'gt', value: idledOutSince }],
        [is('active'), { field: 'idleSince', op: 'eq', value: null }],
      ];
    case 'ended':
      return [[is('ended')], [is('active'), idledOut(idledOutSince)]];
    default:
      return [status === undefined ? [] : [is(status)]];
  }
}
