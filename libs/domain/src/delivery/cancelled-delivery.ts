import type { Delivery } from './delivery.js';
import type { AttemptResult, CancelReason, DeliveryEvent } from './delivery.events.js';

export function cancelledDelivery(
  delivery: Delivery,
  reason: CancelReason,
  result: AttemptResult | null,
  at: number,
): DeliveryEvent {
  return { type: 'DeliveryCancelled', at, ...outcomeOf(delivery), result, reason };
}

export function outcomeOf({ id: deliveryId, endpointId }: Delivery): {
  readonly deliveryId: string;
  readonly endpointId: string;
} {
  return { deliveryId, endpointId };
}
