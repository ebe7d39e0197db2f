export const EVENT_FILTER_PATTERN = '^(\\*|[a-z0-9_]+(\\.[a-z0-9_]+)*(\\.\\*)?)$';
export const MAX_EVENT_FILTER_LENGTH = 255;
const FILTER = new RegExp(EVENT_FILTER_PATTERN);

/** A filter is `*`, `segment.*` or an exact event type. */
export function isEventFilter(text: string): boolean {
  return text.length <= MAX_EVENT_FILTER_LENGTH && FILTER.test(text);
}

/** An empty list selects all. */
export function matches(filters: readonly string[], eventType: string): boolean {
  return filters.length === 0 || filters.some((filter) => matchesOne(filter, eventType));
}

function matchesOne(filter: string, eventType: string): boolean {
  const { op, value } = kindsOf(filter);
  return op === 'prefix' ? eventType.startsWith(value) : eventType === value;
}

/** The filter as a condition on the event type: equality, or a prefix (empty for `*`). */
export function kindsOf(filter: string): { readonly op: 'eq' | 'prefix'; readonly value: string } {
  const isPrefix = filter === '*' || filter.endsWith('.*');
  return isPrefix ? { op: 'prefix', value: filter.slice(0, -1) } : { op: 'eq', value: filter };
}
