export const EVENT_FILTER_PATTERN = '^(\\*|[a-z0-9_]+(\\.[a-z0-9_]+)*(\\.\\*)?)$';
export const LONGEST_EVENT_FILTER = 255;
const FILTER = new RegExp(EVENT_FILTER_PATTERN);

/** `*`, `segment.*` or an exact kind of event. */
export function isEventFilter(text: string): boolean {
  return text.length <= LONGEST_EVENT_FILTER && FILTER.test(text);
}

/** Whether an endpoint with these filters wants events of this kind; no filters want all. */
export function matches(filters: readonly string[], eventType: string): boolean {
  return filters.length === 0 || filters.some((filter) => matchesOne(filter, eventType));
}

function matchesOne(filter: string, eventType: string): boolean {
  if (filter === '*') return true;
  return filter.endsWith('.*') ? eventType.startsWith(filter.slice(0, -1)) : filter === eventType;
}
