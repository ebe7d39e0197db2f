import { decidedAt, dueIn } from './decided.js';
import type { Delivery } from './delivery.js';
import type { DeliveryEvent } from './delivery.events.js';
import type { EventDeliveries } from './event-deliveries.js';

/** Nothing for what is paused already, and for tests, which are sent all the same. */
export function pausedDelivery(delivery: Delivery, { event }: EventDeliveries, now: number, at: number): DeliveryEvent[] {
  if (!event || delivery.paused || delivery.trigger === 'test') return [];
  const { id: deliveryId, endpointId } = delivery;
  return [{ type: 'DeliveryPaused', at, ...decidedAt(now, at), projectId: event.projectId, deliveryId, endpointId }];
}

export function resumedDelivery({ id: deliveryId, paused: isPaused }: Delivery, now: number, at: number): DeliveryEvent[] {
  return isPaused ? [{ type: 'DeliveryResumed', at, ...decidedAt(now, at), deliveryId, ...dueIn(now, 0) }] : [];
}
