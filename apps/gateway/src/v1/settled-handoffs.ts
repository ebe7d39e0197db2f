import type { ConversationRow } from '@application/conversations/state/conversations.projection';
import type { Page } from '@application/paging/page';
import type { Clock } from '@ports/clock.port';
import type { Condition, Filter, ListedRow } from '@ports/read-models.port';
import type { Query } from '../http/paging/list-filters.js';
import { asRead, type Read } from '../http/server-sent-events/waiting-lists.js';

/** Within this time a hand-off is in the list, whichever gateway stored it. */
const SETTLED_AFTER_MS = 500;

type Conversations = Page<ListedRow<ConversationRow>>;

/** Whether the list has only conversations that were handed off. */
export function isOfHandoffs(query: Query): boolean {
  return query['status'] === 'handed_off' || query['handed_off_at'] !== undefined;
}

/**
 * Reads a page of hand-offs from which a client may go on with `handed_off_at[gt]`. A hand-off is stored a moment after the instant that
 * it bears, so one of an earlier instant may still come: the page is read again when that cannot be, up to its newest instant.
 */
export function settledHandoffs(clock: Clock, read: (upTo?: Condition) => Promise<Conversations>): Read<Conversations> {
  return async () => {
    const list = await read();
    const newest = Math.max(0, ...list.items.map(handedOffAt));
    const now = clock.now();
    if (newest + SETTLED_AFTER_MS <= now) return asRead(list);
    // A clock that is ahead does not hold the page back for longer.
    const at = Math.min(newest, now) + SETTLED_AFTER_MS;
    const upTo: Condition = { field: 'handedOffAt', op: 'lte', value: newest };
    return { list, isEmpty: false, reread: { at, read: async () => asRead(await read(upTo)) } };
  };
}

/** The conversations of a filter that also meet the condition. */
export function also(condition: Condition, filter: Filter): Filter {
  return filter.length === 0 ? [[condition]] : filter.map((conditions) => [...conditions, condition]);
}

function handedOffAt(listed: ListedRow<ConversationRow>): number {
  if (listed.text === null) return listed.stored.row.handedOffAt ?? 0;
  const { handed_off_at: time } = JSON.parse(listed.text) as { readonly handed_off_at: string | null };
  return time === null ? 0 : Date.parse(time);
}
