import type { components, operations } from '../../api/admin-api.js';
import { instantOf } from '../../parts/time-field.js';

export type Delivery = components['schemas']['DeliveryOutlineResource'];
export type DeliveryQuery = NonNullable<operations['listDeliveries']['parameters']['query']>;
type RetryBody = components['schemas']['RetryDeliveriesDto'];
type Values = Readonly<Record<string, string>>;

const BOUNDS = ['gte', 'gt', 'lte', 'lt'] as const;
/** Filters that a replay of everything that matches takes too. */
const OF_BOTH = ['endpoint_id', 'event_type', 'object_id', 'response_status_class', 'error_code'] as const;
const OF_THE_LIST_ALONE = ['event_id', 'trigger'] as const;

/** Every parameter of the address that filters the list. */
export const FILTER_NAMES: readonly string[] = ['status', ...OF_BOTH, ...OF_THE_LIST_ALONE, ...BOUNDS.map(boundName), 'order'];

export const STATUSES = ['pending', 'delivering', 'retrying', 'succeeded', 'failed', 'cancelled'] as const;

function boundName(bound: string): string {
  return `created_at[${bound}]`;
}

/** The filters of the address, as the API takes them. */
export function filtersOf(values: Values): DeliveryQuery {
  const wanted = FILTER_NAMES.flatMap((name) => {
    const value = values[name];
    if (!value) return [];
    return [[name, name.startsWith('created_at') ? instantOf(value) : value.replaceAll(' ', '')]];
  });
  return Object.fromEntries(wanted) as DeliveryQuery;
}

/** Filters that are set and that a replay of everything that matches would pass over: unknown members are ignored. */
export function notOfARetry(values: Values): readonly string[] {
  return OF_THE_LIST_ALONE.filter((name) => values[name]);
}

/** The body of a replay of everything that matches the filters of the address. */
export function retryBodyOf(values: Values): RetryBody {
  const filters = filtersOf(values) as Values;
  const bounds = BOUNDS.flatMap((bound) => (filters[boundName(bound)] ? [[bound, filters[boundName(bound)]]] : []));
  const same = OF_BOTH.flatMap((name) => (filters[name] ? [[name, filters[name]]] : []));
  return {
    ...Object.fromEntries(same),
    ...(filters['status'] && { status: filters['status'].split(',') as NonNullable<RetryBody['status']> }),
    ...(bounds.length > 0 && { created_at: Object.fromEntries(bounds) }),
  };
}
