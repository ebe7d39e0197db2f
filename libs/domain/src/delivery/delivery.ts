import { unchanged } from '../kernel/decider.js';
import type { AttemptResult, CancelReason, DeliveryEvent, DeliveryTrigger } from './delivery.events.js';
import type { NetworkErrorCode } from './outcome.js';
import type { FailureReason } from './retry-policy.js';

export const DELIVERY_STATUSES = ['pending', 'delivering', 'retrying', 'succeeded', 'failed', 'cancelled'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

interface DeliveryClaim {
  readonly attemptId: string;
  readonly startedAt: number;
  readonly leaseUntil: number;
}

export interface Delivery {
  readonly id: string;
  readonly endpointId: string;
  readonly url: string;
  readonly trigger: DeliveryTrigger;
  readonly replayOf: string | null;
  readonly supersededBy: string | null;
  readonly status: DeliveryStatus;
  readonly attemptCount: number;
  /** Fixed at scheduling: a later change of the schedule affects only the waits. */
  readonly maxAttempts: number;
  /** How often the endpoint had been disabled at scheduling; null if not recorded. */
  readonly disablings: number | null;
  readonly firstStartedAt: number | null;
  readonly claim: DeliveryClaim | null;
  /** Whether it waits for its endpoint to be resumed. */
  readonly paused: boolean;
  /** When the next attempt is due; null during an attempt, after the last, and while it is paused. */
  readonly dueAt: number | null;
  readonly overdueAt: number | null;
  /** The clock's time from which its wait, or the lease of its attempt, counts. */
  readonly decidedAt: number;
  /** When the latest attempt that is over began, its status and why it has none; all null before one is over. */
  readonly lastAttemptAt: number | null;
  readonly lastResponseStatus: number | null;
  readonly lastErrorCode: NetworkErrorCode | null;
  readonly failureReason: FailureReason | null;
  readonly cancelReason: CancelReason | null;
  readonly createdAt: number;
  readonly completedAt: number | null;
}

export function isWaiting({ status }: Pick<Delivery, 'status'>): boolean {
  return status === 'pending' || status === 'retrying';
}

export function isFinished({ status }: Pick<Delivery, 'status'>): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'cancelled';
}

type EventOf<Type extends DeliveryEvent['type']> = Extract<DeliveryEvent, { type: Type }>;
type Later = Exclude<DeliveryEvent, EventOf<'EventFrozen' | 'DeliveryScheduled' | 'DeliveriesExpired'>>;

export function scheduledDelivery(event: EventOf<'DeliveryScheduled'>): Delivery {
  const { at, deliveryId: id, endpointId, url, trigger, replayOf, maxAttempts, disablings = null, paused = false } = event;
  const { dueAt, overdueAt } = paused ? NOT_DUE : event;
  return {
    id,
    endpointId,
    url,
    trigger,
    replayOf,
    paused,
    dueAt,
    overdueAt,
    maxAttempts,
    disablings,
    decidedAt: at,
    supersededBy: null,
    status: 'pending',
    attemptCount: 0,
    firstStartedAt: null,
    claim: null,
    lastAttemptAt: null,
    lastResponseStatus: null,
    lastErrorCode: null,
    failureReason: null,
    cancelReason: null,
    createdAt: at,
    completedAt: null,
  };
}

const NOT_DUE = { dueAt: null, overdueAt: null } as const;

type Change = Partial<Omit<Delivery, 'id' | 'endpointId' | 'trigger' | 'replayOf' | 'maxAttempts' | 'disablings' | 'createdAt'>>;

export function evolveDelivery(delivery: Delivery, event: Later): Delivery {
  const { at } = event;
  switch (event.type) {
    case 'DeliveryClaimed':
      return claimed(delivery, event);
    case 'DeliveryRetryScheduled':
      return changed(delivery, { ...waitOf(event), ...lastOf(event.result), status: 'retrying', claim: null });
    case 'DeliveryRescheduled':
      return changed(delivery, waitOf(event));
    case 'DeliveryPostponed':
      return postponed(delivery, event);
    case 'DeliveryPaused':
      return changed(delivery, { ...(delivery.claim && notClaimed(delivery)), ...NOT_DUE, paused: true });
    case 'DeliveryResumed':
      return changed(delivery, { ...waitOf(event), paused: false });
    case 'DeliverySucceeded':
      return finished(delivery, at, event.result, { status: 'succeeded' });
    case 'DeliveryFailed':
      return finished(delivery, at, event.result, { status: 'failed', failureReason: event.reason });
    case 'DeliveryCancelled':
      return finished(delivery, at, event.result, { status: 'cancelled', cancelReason: event.reason });
    case 'DeliverySuperseded':
      return changed(delivery, { supersededBy: event.by });
    case 'DeliveryExpired':
      return delivery;
    default:
      return unchanged(delivery, event);
  }
}

function claimed(delivery: Delivery, event: EventOf<'DeliveryClaimed'>): Delivery {
  const { at, attemptId, attempt: attemptCount, leaseUntil, url, decidedAt = at } = event;
  const claim = { attemptId, startedAt: at, leaseUntil };
  const firstStartedAt = delivery.firstStartedAt ?? decidedAt;
  return changed(delivery, { ...NOT_DUE, decidedAt, status: 'delivering', attemptCount, firstStartedAt, claim, url });
}

/** As before the claim, except for the next due time. */
function postponed(delivery: Delivery, event: EventOf<'DeliveryPostponed'>): Delivery {
  return changed(delivery, { ...waitOf(event), ...notClaimed(delivery) });
}

function notClaimed(delivery: Delivery): Change {
  const attemptCount = delivery.attemptCount - 1;
  const before = attemptCount > 0 ? ({ status: 'retrying' } as const) : ({ status: 'pending', firstStartedAt: null } as const);
  return { ...before, attemptCount, claim: null };
}

function waitOf({
  at,
  dueAt,
  overdueAt,
  decidedAt = at,
}: EventOf<'DeliveryRetryScheduled' | 'DeliveryRescheduled' | 'DeliveryPostponed' | 'DeliveryResumed'>) {
  return { dueAt, overdueAt, decidedAt };
}

function finished(delivery: Delivery, completedAt: number, result: AttemptResult | null, change: Change): Delivery {
  const last = result ? lastOf(result) : {};
  return changed(delivery, { claim: null, ...NOT_DUE, paused: false, ...last, completedAt, ...change });
}

function lastOf({ startedAt, status, errorCode }: AttemptResult) {
  return { lastAttemptAt: startedAt, lastResponseStatus: status, lastErrorCode: errorCode };
}

function changed(delivery: Delivery, change: Change): Delivery {
  return { ...delivery, ...change };
}
