import type { CancelReason, DeliveryEvent, DeliveryTrigger } from './delivery.events.js';
import type { FailureReason } from './retry-policy.js';

export const DELIVERY_STATUSES = ['pending', 'delivering', 'retrying', 'succeeded', 'failed', 'cancelled'] as const;
type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** An attempt that is under way. */
interface DeliveryClaim {
  readonly attemptId: string;
  readonly startedAt: number;
  readonly leaseUntil: number;
}

/** One event on its way to one endpoint. */
export interface Delivery {
  readonly id: string;
  readonly endpointId: string;
  readonly url: string;
  readonly trigger: DeliveryTrigger;
  readonly replayOf: string | null;
  readonly supersededBy: string | null;
  readonly status: DeliveryStatus;
  /** Attempts begun. */
  readonly attemptCount: number;
  /** As it was scheduled: a schedule that changes later changes only the waits. */
  readonly maxAttempts: number;
  /** How often its endpoint had been disabled when it was scheduled; null when nobody knows. */
  readonly disablings: number | null;
  readonly firstStartedAt: number | null;
  readonly claim: DeliveryClaim | null;
  /** When the next attempt is due; null while one is under way and when none follows. */
  readonly dueAt: number | null;
  readonly overdueAt: number | null;
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

/** A delivery at its beginning. */
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

/** What an event may change; whatever it does not name stays. */
type Change = Partial<Omit<Delivery, 'id' | 'endpointId' | 'trigger' | 'replayOf' | 'maxAttempts' | 'disablings' | 'createdAt'>>;

/** A delivery after one more event about it. */
export function evolveDelivery(delivery: Delivery, event: Later): Delivery {
  const { at } = event;
  switch (event.type) {
    case 'DeliveryClaimed': {
      const { attemptId, attempt: attemptCount, leaseUntil, url } = event;
      const claim = { attemptId, startedAt: at, leaseUntil };
      const firstStartedAt = delivery.firstStartedAt ?? at;
      return changed(delivery, { status: 'delivering', attemptCount, firstStartedAt, claim, url, dueAt: null, overdueAt: null });
    }
    case 'DeliveryRetryScheduled': {
      const { dueAt, overdueAt, result } = event;
      return changed(delivery, { status: 'retrying', claim: null, dueAt, overdueAt, lastResponseStatus: result.status });
    }
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
  }
}

function finished(delivery: Delivery, completedAt: number, lastResponseStatus: number | null, change: Change): Delivery {
  return changed(delivery, { claim: null, dueAt: null, overdueAt: null, lastResponseStatus, completedAt, ...change });
}

/** Member by member: each event comes by several times, and copies of copies take five times as long. */
function changed(delivery: Delivery, change: Change): Delivery {
  const { id, endpointId, trigger, replayOf, maxAttempts, disablings, createdAt } = delivery;
  const { url = delivery.url, status = delivery.status, attemptCount = delivery.attemptCount } = change;
  const { supersededBy = delivery.supersededBy, firstStartedAt = delivery.firstStartedAt, claim = delivery.claim } = change;
  const { dueAt = delivery.dueAt, overdueAt = delivery.overdueAt, completedAt = delivery.completedAt } = change;
  const { lastResponseStatus = delivery.lastResponseStatus, failureReason = delivery.failureReason } = change;
  const { cancelReason = delivery.cancelReason } = change;
  // One a line they would be longer than a function may be.
  // prettier-ignore
  return {
    id, endpointId, url, trigger, replayOf, dueAt, overdueAt, maxAttempts, disablings, supersededBy, status, attemptCount,
    firstStartedAt, claim, lastResponseStatus, failureReason, cancelReason, createdAt, completedAt,
  };
}
