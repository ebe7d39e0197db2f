import { cancelledDelivery } from './cancelled-delivery.js';
import { isFinished } from './delivery.js';
import type { DeliveryEvent } from './delivery.events.js';
import type { EventDeliveries } from './event-deliveries.js';

/** The stream expires only when every delivery is finished; what is paused is cancelled, so that none waits for ever. */
export function expiredDeliveries({ event, expired, deliveries }: EventDeliveries, at: number): DeliveryEvent[] {
  if (!event || expired) return [];
  const ended = deliveries
    .filter((delivery) => delivery.paused)
    .map((delivery) => cancelledDelivery(delivery, 'event_expired', null, at));
  if (!deliveries.every((delivery) => delivery.paused || isFinished(delivery))) return ended;
  const gone = deliveries.map(({ id: deliveryId }) => ({ type: 'DeliveryExpired', at, deliveryId }) as const);
  return [...ended, ...gone, { type: 'DeliveriesExpired', at }];
}
