import { CONVERSATION_STATUSES } from '@domain/conversation/conversation';
import type { Condition, Filter } from '@ports/read-models.port';
import { exactly, idOf, oneOf, timeRange, type Filters } from '../http/paging/list-filters.js';
import { waitParameter } from '../http/server-sent-events/read-wait.js';
import { CONVERSATION_STATUS } from './meanings.js';
import { withMeanings } from '../http/docs/with-meanings.js';

export const CONVERSATION_FILTERS: Filters = {
  status: oneOf(withMeanings('Only conversations in this status.', CONVERSATION_STATUS), 'status', CONVERSATION_STATUSES),
  external_id: exactly("Only conversations with this id of the client's, the ended ones too.", 'externalId'),
  customer_id: idOf('customer', 'Only conversations with this customer.', 'customerId'),
  created_at: timeRange('Only conversations created', 'createdAt'),
  last_message_at: timeRange('Only conversations whose last message was stored', 'lastMessageAt'),
  handed_off_at: timeRange('Only conversations that a human took over', 'handedOffAt'),
  wait: waitParameter('for a page that is not empty'),
};

/** Matches conversations that have idled out, even if their end is not stored yet. */
export function idledOut(since: number): Condition {
  return { field: 'idleSince', op: 'lte', value: since };
}

/** Rewrites conditions on `status`: a conversation idle since `idledOutSince` counts as ended, even if no end is stored yet. */
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
