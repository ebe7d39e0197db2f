import { EMITTED_TYPES } from '@domain/appointment/emission';
import { EVENT_FILTER_PATTERN, isEventFilter, MAX_EVENT_FILTER_LENGTH, matches } from '@domain/endpoint/event-filter';
import { DomainError } from '@domain/kernel/domain-error';
import { idOf, timeRange, type FilterParameter, type Filters } from '../http/paging/list-filters.js';

const MAX_TYPES = 20;

const KIND = { type: 'string', pattern: EVENT_FILTER_PATTERN, maxLength: MAX_EVENT_FILTER_LENGTH };

/** A parameter that `readEventTypes` reads; as a filter it has no conditions. */
function kinds(description: string, schema: Readonly<Record<string, unknown>>): FilterParameter {
  return { kind: 'text', description, schema, read: () => [[]], warningsOf: (value) => unmatched([value].flat()) };
}

/** A warning for each filter that matches no type of event, as the end of a sentence; other values have none. */
export function unmatched(filters: readonly unknown[]): readonly string[] {
  const matchesNone = (filter: unknown): filter is string =>
    typeof filter === 'string' && isEventFilter(filter) && !EMITTED_TYPES.some((type) => matches([filter], type));
  return filters
    .filter(matchesNone)
    .map((filter) => `'${filter}' matches no type of event; there are ${EMITTED_TYPES.join(', ')}`);
}

/** Events have no status filter: an unknown `status` parameter is ignored, and clients filter by themselves. */
export const EVENT_FILTERS = {
  type: kinds('Only events of this type: exact, such as `appointment.created`, or `appointment.*`.', KIND),
  'types[]': kinds('Only events of these types, each as for `type`: `types[]=appointment.created&types[]=appointment.failed`.', {
    type: 'array',
    items: KIND,
    maxItems: MAX_TYPES,
  }),
  object_id: idOf('appointment', 'Only events of this appointment.', 'objectId'),
  created_at: timeRange('Only events that happened', 'createdAt'),
} satisfies Filters;

export const DELIVERY_FILTERS: Filters = {
  endpoint_id: idOf('endpoint', 'Only deliveries to this endpoint.', 'endpointId'),
  created_at: timeRange('Only deliveries made', 'createdAt'),
};

/** The kinds in `type` and `types[]`; empty for all. Throws `parameter_invalid`. */
export function readEventTypes({ type, types }: Readonly<Record<string, unknown>>): readonly string[] {
  return [...read('type', type), ...read('types', types)];
}

function read(param: string, value: unknown): readonly string[] {
  if (value === undefined) return [];
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  const known = all.filter((each): each is string => typeof each === 'string' && isEventFilter(each));
  if (known.length === all.length && all.length <= MAX_TYPES) return known;
  throw new DomainError('parameter_invalid', `${param} takes kinds such as appointment.created or appointment.*.`, { param });
}
