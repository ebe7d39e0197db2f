import type { DeliveryStatus } from '@domain/delivery/delivery';
import { NO_DELIVERY } from '@domain/delivery/bulk-replay';
import { firstEventIdAt } from '@domain/event/event-id';
import { dateTimeOf } from '@domain/kernel/instant';
import type { Task } from '@domain/task/task';
import { endpointStatus } from '../deliveries.projection.js';
import { NO_TESTS, type RetryMode, type Selection } from './retry-parameters.js';

export const ENDPOINT_RECOVER = 'endpoint.recover';
export const ENDPOINT_REPLAY_MISSING = 'endpoint.replay_missing';
export const ENDPOINT_RECONCILE = 'endpoint.reconcile';

/** Ids that a client compares at once: they are stored in one event, and a body has room for them. */
export const MAX_RECEIVED = 5_000;

const RECOVERED = ['failed', 'cancelled'] as const satisfies readonly DeliveryStatus[];

/** When events happened, as sent: `since` is included, `until` is not. */
export interface EventTime {
  readonly since: string;
  readonly until?: string;
}

interface Manner {
  readonly per_second: number;
  readonly dry_run: boolean;
}

/** The parameters of the tasks about one endpoint, under their wire names. */
export type RecoverParameters = EventTime & Manner & { readonly mode: RetryMode };
export type ReplayMissingParameters = RecoverParameters & { readonly event_types?: readonly string[] };
export type ReconcileParameters = EventTime & Manner;

export function parametersOf<Parameters extends RecoverParameters | ReplayMissingParameters | ReconcileParameters>({
  parameters,
}: Pick<Task, 'parameters'>): Parameters {
  return parameters as unknown as Parameters;
}

/** From that instant on and before the other, which is the task's start at the latest. */
export interface Span {
  readonly from: number;
  readonly before: number;
}

export function spanOf({ since, until }: EventTime, startedAt: number): Span {
  const before = until === undefined ? startedAt : (dateTimeOf(until) ?? startedAt);
  return { from: dateTimeOf(since) ?? startedAt, before: Math.min(before, startedAt) };
}

/** What failed at an endpoint, and what was cancelled since it was disabled. */
export function recoverySelection(endpointId: string, { from, before }: Span, startedAt: number): Selection {
  return {
    by: { field: 'endpointStatus', op: 'in', value: RECOVERED.map((status) => endpointStatus(endpointId, status)) },
    filter: [
      { field: 'createdAt', op: 'lt', value: startedAt },
      { field: 'eventId', op: 'gte', value: firstEventIdAt(from) },
      { field: 'eventId', op: 'lt', value: firstEventIdAt(before) },
      NO_TESTS,
    ],
    match: { ...NO_DELIVERY, statuses: RECOVERED, cancelReason: 'endpoint_disabled', before: startedAt },
  };
}
