import { unchanged } from '../kernel/decider.js';
import type { CancelReason, DeliveryEvent, DeliveryTrigger } from './delivery.events.js';
import type { FailureReason } from './retry-policy.js';

export const DELIVERY_STATUSES = ['pending', 'delivering', 'retrying', 'succeeded', 'failed', 'cancelled'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** An attempt that is under way. */
interface DeliveryClaim {
  readonly attemptId: string;
  readonly startedAt: number;
  readonly leaseUntil: number;
}

/** The delivery of one event to one endpoint. */
export interface Delivery {
  readonly id: string;
  readonly endpointId: string;
  readonly url: string;
  readonly trigger: DeliveryTrigger;
  readonly replayOf: string | null;
  readonly supersededBy: string | null;
  readonly status: DeliveryStatus;
  /** How many attempts have begun. */
  readonly attemptCount: number;
  /** The number fixed at scheduling: a later change of the schedule affects only the waits. */
  readonly maxAttempts: number;
  /** How often the endpoint had been disabled at scheduling; null when it was not recorded. */
  readonly disablings: number | null;
  readonly firstStartedAt: number | null;
  readonly claim: DeliveryClaim | null;
  /** When the next attempt is due; null while an attempt is running and when no other follows. */
  readonly dueAt: number | null;
  readonly overdueAt: number | null;
  /** The clock's time when its wait, or the lease of its attempt, was counted. */
  readonly decidedAt: number;
  readonly lastResponseStatus: number | null;
  readonly failureReason: FailureReason | null;
  readonly cancelReason: CancelReason | null;
  readonly createdAt: number;
  readonly completedAt: number | null;
}

/** Whether it waits for its next attempt. */
export function isWaiting({ status }: Pick<Delivery, 'status'>): boolean {
  return status === 'pending' || status === 'retrying';
}

export function isFinished({ status }: Pick<Delivery, 'status'>): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'cancelled';
}

type EventOf<Type extends DeliveryEvent['type']> = Extract<DeliveryEvent, { type: Type }>;
type Later = Exclude<DeliveryEvent, EventOf<'EventFrozen' | 'DeliveryScheduled' | 'DeliveriesExpired'>>;

/** Creates a delivery from its first event. */
export function scheduledDelivery(event: EventOf<'DeliveryScheduled'>): Delivery {
  const { at, deliveryId: id, endpointId, url, trigger, replayOf, dueAt, overdueAt, maxAttempts, disablings = null } = event;
  return {
    id,
    endpointId,
    url,
    trigger,
    replayOf,
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
    lastResponseStatus: null,
    failureReason: null,
    cancelReason: null,
    createdAt: at,
    completedAt: null,
  };
}

/** The members an event may change; absent members keep their value. */
type Change = Partial<Omit<Delivery, 'id' | 'endpointId' | 'trigger' | 'replayOf' | 'maxAttempts' | 'disablings' | 'createdAt'>>;

/** Applies one event to a delivery. */
export function evolveDelivery(delivery: Delivery, event: Later): Delivery {
  const { at } = event;
  switch (event.type) {
    case 'DeliveryClaimed':
      return claimed(delivery, event);
    case 'DeliveryRetryScheduled': {
      const { status } = event.result;
      return changed(delivery, { ...waitOf(event), status: 'retrying', claim: null, lastResponseStatus: status });
    }
    case 'DeliveryRescheduled':
      return changed(delivery, waitOf(event));
    case 'DeliveryPostponed':
      return postponed(delivery, event);
    case 'DeliverySucceeded':
      return finished(delivery, at, event.result.status, { status: 'succeeded' });
    case 'DeliveryFailed':
      return finished(delivery, at, event.result.status, { status: 'failed', failureReason: event.reason });
    case 'DeliveryCancelled': {
      const lastResponseStatus = event.result ? event.result.status : delivery.lastResponseStatus;
      return finished(delivery, at, lastResponseStatus, { status: 'cancelled', cancelReason: event.reason });
    }
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
  const due = { dueAt: null, overdueAt: null, decidedAt };
  return changed(delivery, { ...due, status: 'delivering', attemptCount, firstStartedAt, claim, url });
}

/** As before the attempt was claimed, but for when the next one is due. */
function postponed(delivery: Delivery, event: EventOf<'DeliveryPostponed'>): Delivery {
  const attemptCount = delivery.attemptCount - 1;
  const before = attemptCount > 0 ? ({ status: 'retrying' } as const) : ({ status: 'pending', firstStartedAt: null } as const);
  return changed(delivery, { ...waitOf(event), ...before, attemptCount, claim: null });
}

function waitOf({
  at,
  dueAt,
  overdueAt,
  decidedAt = at,
}: EventOf<'DeliveryRetryScheduled' | 'DeliveryRescheduled' | 'DeliveryPostponed'>) {
  return { dueAt, overdueAt, decidedAt };
}

function finished(delivery: Delivery, completedAt: number, lastResponseStatus: number | null, change: Change): Delivery {
  return changed(delivery, { claim: null, dueAt: null, overdueAt: null, lastResponseStatus, completedAt, ...change });
}

function changed(delivery: Delivery, change: Change): Delivery {
  return { ...delivery, ...change };
}
