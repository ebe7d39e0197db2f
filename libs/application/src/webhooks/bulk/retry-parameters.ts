import type { DeliveryMatch } from '@domain/delivery/bulk-replay';
import type { DeliveryStatus } from '@domain/delivery/delivery';
import type { NetworkErrorCode, ResponseClass } from '@domain/delivery/outcome';
import { kindsOf } from '@domain/endpoint/event-filter';
import { instantOf } from '@domain/kernel/instant';
import type { Task } from '@domain/task/task';
import type { Condition } from '@ports/read-models.port';
import { endpointStatus } from '../deliveries.projection.js';
import type { RowSelection } from './matched-rows.js';

export const RETRIED_STATUSES = ['failed', 'cancelled', 'retrying', 'pending'] as const satisfies readonly DeliveryStatus[];
export type RetriedStatus = (typeof RETRIED_STATUSES)[number];

/** `latest` sends only what still matters: for each endpoint and appointment its newest event. */
export const RETRY_MODES = ['all', 'latest'] as const;
export type RetryMode = (typeof RETRY_MODES)[number];

export const USUAL_PER_SECOND = 50;
export const MAX_PER_SECOND = 500;

const BOUNDS = ['gte', 'gt', 'lt', 'lte'] as const;

/** The parameters of a task of kind `deliveries.retry`, under their wire names, without those that were not sent and have no default. */
export interface RetryParameters {
  readonly endpoint_id?: string;
  readonly event_type?: string;
  readonly object_id?: string;
  readonly response_status_class?: ResponseClass;
  readonly error_code?: NetworkErrorCode;
  readonly status: readonly RetriedStatus[];
  readonly created_at?: Readonly<Partial<Record<(typeof BOUNDS)[number], string>>>;
  readonly mode: RetryMode;
  readonly skip_recovered: boolean;
  readonly per_second: number;
  readonly dry_run: boolean;
}

/** How a task finds the rows of its deliveries, and what is asked of each. */
export interface Selection extends RowSelection {
  readonly match: DeliveryMatch;
}

/** Tests are never replayed in bulk. */
export const NO_TESTS: Condition = { field: 'trigger', op: 'in', value: ['event', 'replay', 'bulk_replay'] };

export function retryParametersOf({ parameters }: Pick<Task, 'parameters'>): RetryParameters {
  return parameters as unknown as RetryParameters;
}

/** Deliveries that were created before the task's start. */
export function selectionOf(parameters: RetryParameters, startedAt: number): Selection {
  const { endpoint_id, event_type, object_id, response_status_class, error_code, status } = parameters;
  const { from, before } = spanOf(parameters.created_at, startedAt);
  const filter: Condition[] = [
    { field: 'createdAt', op: 'gte', value: from },
    { field: 'createdAt', op: 'lt', value: before },
    NO_TESTS,
  ];
  if (event_type !== undefined) filter.push({ field: 'eventType', ...kindsOf(event_type) });
  if (object_id !== undefined) filter.push({ field: 'appointmentId', op: 'eq', value: object_id });
  if (response_status_class !== undefined) filter.push({ field: 'responseStatusClass', op: 'eq', value: response_status_class });
  if (error_code !== undefined) filter.push({ field: 'lastErrorCode', op: 'eq', value: error_code });
  const match = {
    statuses: status,
    responseClass: response_status_class ?? null,
    errorCode: error_code ?? null,
    cancelReason: null,
    from,
    before,
  };
  return { by: narrowest(endpoint_id, object_id, lookedAt(status)), filter, match };
}

function narrowest(endpointId: string | undefined, objectId: string | undefined, statuses: readonly DeliveryStatus[]): Condition {
  if (endpointId !== undefined) {
    const value = statuses.map((status) => endpointStatus(endpointId, status));
    return { field: 'endpointStatus', op: 'in', value };
  }
  if (objectId !== undefined) return { field: 'appointmentId', op: 'eq', value: objectId };
  return { field: 'status', op: 'in', value: statuses };
}

/** A task that is repeated after a crash has cancelled some open ones itself: their streams tell. */
function lookedAt(statuses: readonly RetriedStatus[]): readonly RetriedStatus[] {
  const mayBeCancelled = statuses.some((status) => status === 'pending' || status === 'retrying');
  return mayBeCancelled && !statuses.includes('cancelled') ? [...statuses, 'cancelled'] : statuses;
}

function spanOf(bounds: RetryParameters['created_at'], startedAt: number): { readonly from: number; readonly before: number } {
  let [from, before] = [0, startedAt];
  for (const bound of BOUNDS) {
    const at = instantOf(bounds?.[bound] ?? '');
    if (at === null) continue;
    if (bound === 'gte' || bound === 'gt') from = Math.max(from, bound === 'gt' ? at + 1 : at);
    else before = Math.min(before, bound === 'lte' ? at + 1 : at);
  }
  return { from, before };
}
