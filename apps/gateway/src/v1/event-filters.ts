import { EMITTED_TYPES } from '@domain/appointment/emission';
import { EVENT_FILTER_PATTERN, isEventFilter, kindsOf, MAX_EVENT_FILTER_LENGTH, matches } from '@domain/endpoint/event-filter';
import { DELIVERY_STATUSES } from '@domain/delivery/delivery';
import { DELIVERY_TRIGGERS } from '@domain/delivery/delivery.events';
import { NETWORK_ERRORS, RESPONSE_CLASSES } from '@domain/delivery/outcome';
import { DomainError } from '@domain/kernel/domain-error';
import { idOf, oneOf, refuse, severalOf, timeRange, type FilterParameter, type Filters } from '../http/paging/list-filters.js';
import { withMeanings } from '../http/docs/with-meanings.js';
import { DELIVERY_STATUS, DELIVERY_TRIGGER, NETWORK_ERROR, RESPONSE_CLASS } from './meanings.js';

const MAX_TYPES = 20;

const KIND = { type: 'string', pattern: EVENT_FILTER_PATTERN, maxLength: MAX_EVENT_FILTER_LENGTH };

function kinds(description: string, schema: Readonly<Record<string, unknown>>) {
  const warningsOf = (value: unknown) => unmatched([value].flat());
  return { kind: 'text', description, schema, read: () => [[]], warningsOf } satisfies FilterParameter;
}

/** A warning, as the end of a sentence, for each filter that matches no event type. */
export function unmatched(filters: readonly unknown[]): readonly string[] {
  const matchesNone = (filter: unknown): filter is string =>
    typeof filter === 'string' && isEventFilter(filter) && !EMITTED_TYPES.some((type) => matches([filter], type));
  return filters
    .filter(matchesNone)
    .map((filter) => `'${filter}' matches no type of event; there are ${EMITTED_TYPES.join(', ')}`);
}

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

/** A wildcard as the types that it matches, since a list goes along the values of a member. */
function eventTypeOf(description: string, field: string): FilterParameter {
  return {
    ...kinds(description, KIND),
    read: (text) => {
      if (!isEventFilter(text)) return refuse('parameter_invalid', 'takes kinds such as appointment.created or appointment.*');
      const { op, value } = kindsOf(text);
      if (op === 'eq') return [[{ field, op, value }]];
      return value === '' ? [[]] : [[{ field, op: 'in', value: EMITTED_TYPES.filter((type) => matches([text], type)) }]];
    },
  };
}

export const DELIVERY_FILTERS: Filters = {
  endpoint_id: idOf('endpoint', 'Only deliveries to this endpoint.', 'endpointId'),
  created_at: timeRange('Only deliveries made', 'createdAt'),
};

/** The parameters of the list of all deliveries. */
export const ALL_DELIVERIES_FILTERS: Filters = {
  status: severalOf(
    withMeanings('Only deliveries in one of these statuses, separated by commas.', DELIVERY_STATUS),
    'status',
    DELIVERY_STATUSES,
  ),
  endpoint_id: idOf('endpoint', 'Only deliveries to this endpoint.', 'endpointId'),
  event_id: idOf('event', 'Only deliveries of this event.', 'eventId'),
  event_type: eventTypeOf(
    'Only deliveries of events of this type: exact, such as `appointment.created`, or `appointment.*`.',
    'eventType',
  ),
  object_id: idOf('appointment', 'Only deliveries of events of this appointment.', 'appointmentId'),
  trigger: oneOf(withMeanings('Only deliveries that were made for this.', DELIVERY_TRIGGER), 'trigger', DELIVERY_TRIGGERS),
  response_status_class: oneOf(
    withMeanings('Only deliveries whose latest attempt that is over was answered so.', RESPONSE_CLASS),
    'responseStatusClass',
    RESPONSE_CLASSES,
  ),
  error_code: oneOf(withMeanings('Only deliveries with this `last_error_code`.', NETWORK_ERROR), 'lastErrorCode', NETWORK_ERRORS),
  created_at: timeRange('Only deliveries made', 'createdAt'),
};

/** The event types in `type` and `types[]`; empty means all. Throws `parameter_invalid`. */
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
