const FILTER = /^(\*|[a-z0-9_]+(\.[a-z0-9_]+)*(\.\*)?)$/;
const LONGEST = 255;

/** `*`, `segment.*` or an exact kind of event. */
export function isEventFilter(text: string): boolean {
  return text.length <= LONGEST && FILTER.test(text);
}

/** Whether an endpoint with these filters wants events of this kind; no filters want all. */
export function matches(filters: readonly string[], eventType: string): boolean {
  return filters.length === 0 || filters.some((filter) => matchesOne(filter, eventType));
}

function matchesOne(filter: string, eventType: string): boolean {
  if (filter === '*') return true;
  return filter.endsWith('.*') ? eventType.startsWith(filter.slice(0, -1)) : filter === eventType;
}
