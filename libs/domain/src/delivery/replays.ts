import { eventExpired } from '../event/event-window.js';
import { DomainError, resourceMissing } from '../kernel/domain-error.js';
import { bulkVerdict, isMatch, isOnItsWay, MAX_DELIVERIES, type BulkReplay, type DeliveryMatch } from './bulk-replay.js';
import { cancelledDelivery } from './cancelled-delivery.js';
import { isWaiting, type Delivery } from './delivery.js';
import type { DeliveryEvent, NewDelivery } from './delivery.events.js';
import { deliveryOf, type EventDeliveries } from './event-deliveries.js';
import { scheduled } from './scheduled.js';

interface Replay {
  readonly deliveryId: string;
  readonly replay: NewDelivery;
}

export function replay({ deliveryId, replay: next }: Replay, state: EventDeliveries, at: number): DeliveryEvent[] {
  const original = deliveryOf(state, deliveryId);
  if (!state.event || !original) throw resourceMissing('delivery', 'delivery_id');
  if (deliveryOf(state, next.deliveryId)) return [];
  refuseReplays(state, 1);
  return [...superseded(original, next.deliveryId, at), scheduled(state.event, { ...next, replayOf: deliveryId }, at)];
}

export function replayEvent(
  { replays }: { readonly replays: readonly NewDelivery[] },
  state: EventDeliveries,
  at: number,
): DeliveryEvent[] {
  const { event, deliveries } = state;
  if (!event) throw resourceMissing('event');
  const news = replays.filter(({ deliveryId }) => !deliveryOf(state, deliveryId));
  if (news.length > 0) refuseReplays(state, news.length);
  return news.flatMap((next) => {
    const there = deliveries.filter(({ endpointId }) => endpointId === next.endpointId);
    const replayOf = there.at(-1)?.id ?? null;
    return [...there.flatMap((each) => superseded(each, next.deliveryId, at)), scheduled(event, { ...next, replayOf }, at)];
  });
}

export function replayInBulk(command: BulkReplay, state: EventDeliveries, at: number): DeliveryEvent[] {
  const verdict = bulkVerdict(state, command);
  if (verdict.kind !== 'replay' || !state.event) return [];
  const { replay: next } = command;
  const replaced = verdict.superseded.flatMap((delivery) => superseded(delivery, next.deliveryId, at));
  return [...replaced, scheduled(state.event, { ...next, replayOf: verdict.original?.id ?? null }, at)];
}

/** A delivery of a newer event takes the place of one, if that still matches and is on its way. */
export interface Superseding {
  readonly deliveryId: string;
  readonly match: DeliveryMatch;
  readonly by: string;
}

export function supersede({ deliveryId, match, by }: Superseding, state: EventDeliveries, at: number): DeliveryEvent[] {
  const delivery = deliveryOf(state, deliveryId);
  return delivery && isMatch(match, delivery) ? superseded(delivery, by, at) : [];
}

function refuseReplays({ expired, deliveries }: EventDeliveries, count: number): void {
  if (expired) throw eventExpired();
  if (deliveries.length + count <= MAX_DELIVERIES) return;
  throw new DomainError('limit_exceeded', `An event has at most ${MAX_DELIVERIES} deliveries.`);
}

/** What becomes of a delivery that a replay replaces: an attempt under way may finish, and no other follows. */
function superseded(delivery: Delivery, by: string, at: number): DeliveryEvent[] {
  if (!isOnItsWay(delivery)) return [];
  const replaced = { type: 'DeliverySuperseded', at, deliveryId: delivery.id, by } as const;
  return isWaiting(delivery) ? [replaced, cancelledDelivery(delivery, 'superseded', null, at)] : [replaced];
}
