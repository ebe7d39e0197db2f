import { isFinished, type Delivery, type DeliveryStatus } from './delivery.js';
import type { CancelReason, NewDelivery } from './delivery.events.js';
import { deliveryOf, type EventDeliveries } from './event-deliveries.js';
import { responseClassOf, type NetworkErrorCode, type ResponseClass } from './outcome.js';

/** Deliveries per event: far more than replays produce, few enough for memory and response time. */
export const MAX_DELIVERIES = 10_000;

/** Which deliveries of an event to an endpoint work in bulk is about. */
export interface DeliveryMatch {
  readonly statuses: readonly DeliveryStatus[];
  /** Null: any. */
  readonly responseClass: ResponseClass | null;
  readonly errorCode: NetworkErrorCode | null;
  /** Of cancelled ones only those that were cancelled for this; null: any. */
  readonly cancelReason: CancelReason | null;
  /** They were created from this instant on, and before the other. */
  readonly from: number;
  readonly before: number;
}

/** Matches none: for work that is about events. */
export const NO_DELIVERY: DeliveryMatch = {
  statuses: [],
  responseClass: null,
  errorCode: null,
  cancelReason: null,
  from: 0,
  before: 0,
};

/** What an event must not have at the endpoint, to be what work in bulk is about: any delivery, or one on its way. */
export type Lacking = 'delivery' | 'open_delivery';

/** What a task wants of an event and an endpoint. */
export interface BulkReplay {
  /** The fresh delivery; its id derives from the task, the event and the endpoint, so that there is one at most. */
  readonly replay: NewDelivery;
  readonly match: DeliveryMatch;
  /** The matched delivery that the task has come to; null where it wants the event, with or without a delivery. */
  readonly deliveryId: string | null;
  /** Whether nothing is sent where another delivery than the matched one has reached the endpoint since, or is on its way. */
  readonly skipRecovered: boolean;
  /** Null where it does not matter what the event has there. */
  readonly lacking: Lacking | null;
}

export type BulkVerdict =
  | { readonly kind: 'replay'; readonly original: Delivery | null; readonly superseded: readonly Delivery[] }
  /** This task has made it before. */
  | { readonly kind: 'replayed'; readonly fresh: Delivery }
  /** `by`: the delivery that reached the endpoint, or is on its way. */
  | { readonly kind: 'recovered'; readonly by: Delivery }
  /** A newer matched one replaces it. */
  | { readonly kind: 'superseded' }
  | { readonly kind: 'unmatched' }
  | { readonly kind: 'event_expired' }
  | { readonly kind: 'limit_exceeded' };

export function isMatch(match: DeliveryMatch, delivery: Delivery): boolean {
  const { status, createdAt, lastAttemptAt, lastResponseStatus, lastErrorCode, cancelReason } = delivery;
  const responseClass = lastAttemptAt === null ? null : responseClassOf(lastResponseStatus);
  return (
    match.statuses.includes(status) &&
    createdAt >= match.from &&
    createdAt < match.before &&
    (match.responseClass === null || match.responseClass === responseClass) &&
    (match.errorCode === null || match.errorCode === lastErrorCode) &&
    (match.cancelReason === null || cancelReason === null || match.cancelReason === cancelReason)
  );
}

/** Whether it lacks that at the endpoint, apart from the task's own fresh delivery. */
export function isLacking(
  { deliveries }: Pick<EventDeliveries, 'deliveries'>,
  { endpointId, deliveryId: freshId }: Pick<NewDelivery, 'endpointId' | 'deliveryId'>,
  lacking: Lacking,
): boolean {
  const there = deliveries.filter((delivery) => delivery.endpointId === endpointId && delivery.id !== freshId);
  return lacking === 'delivery' ? there.length === 0 : !there.some(isOnItsWay);
}

export function bulkVerdict(state: EventDeliveries, wanted: BulkReplay): BulkVerdict {
  const { replay, match, deliveryId, skipRecovered, lacking } = wanted;
  const there = state.deliveries.filter(({ endpointId }) => endpointId === replay.endpointId);
  const asked = deliveryId === null ? null : there.find(({ id }) => id === deliveryId);
  const fresh = deliveryOf(state, replay.deliveryId);
  if (fresh) return afterReplay(fresh, deliveryId, asked ?? null, match);
  if (lacking !== null && !isLacking(state, replay, lacking)) return { kind: 'unmatched' };
  const matched = there.filter((delivery) => isMatch(match, delivery));
  const newest = matched.at(-1);
  if (deliveryId !== null && (!asked || !matched.includes(asked))) return { kind: 'unmatched' };
  if (deliveryId !== null && newest?.id !== deliveryId) return { kind: 'superseded' };
  const since = deliveryId === null ? 0 : (newest?.createdAt ?? 0);
  const others = skipRecovered ? there.filter((delivery) => !matched.includes(delivery)) : [];
  const by = others.find((delivery) => hasSucceeded(delivery, since)) ?? others.find(isOnItsWay);
  if (by) return { kind: 'recovered', by };
  if (state.expired) return { kind: 'event_expired' };
  if (state.deliveries.length >= MAX_DELIVERIES) return { kind: 'limit_exceeded' };
  return { kind: 'replay', original: newest ?? there.at(-1) ?? null, superseded: matched.filter(isOnItsWay) };
}

function afterReplay(fresh: Delivery, deliveryId: string | null, asked: Delivery | null, match: DeliveryMatch): BulkVerdict {
  if (deliveryId === null || fresh.replayOf === deliveryId) return { kind: 'replayed', fresh };
  const isOlderOne = asked !== null && (asked.supersededBy === fresh.id || isMatch(match, asked));
  return { kind: isOlderOne ? 'superseded' : 'unmatched' };
}

function hasSucceeded({ status, completedAt }: Delivery, since: number): boolean {
  return status === 'succeeded' && (completedAt ?? 0) >= since;
}

export function isOnItsWay(delivery: Delivery): boolean {
  return !isFinished(delivery) && delivery.supersededBy === null;
}
