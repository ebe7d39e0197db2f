import { evolveDelivery, scheduledDelivery, type Delivery } from '@domain/delivery/delivery';
import type { AttemptResult, DeliveryEvent, FrozenEvent } from '@domain/delivery/delivery.events';

/** A delivery with the results of its attempts. */
export interface DeliveryView extends Delivery {
  readonly eventId: string;
  readonly eventType: string;
  /** Finished ones, oldest first. */
  readonly attempts: readonly AttemptResult[];
}

type About = Pick<FrozenEvent, 'eventId' | 'eventType'>;
type DeliveryScheduled = Extract<DeliveryEvent, { type: 'DeliveryScheduled' }>;

/** A delivery as it begins. */
export function newDelivery({ eventId, eventType }: About, scheduled: DeliveryScheduled): DeliveryView {
  return { ...scheduledDelivery(scheduled), eventId, eventType, attempts: [] };
}

/** The delivery of these events, its own, oldest first; null when the first is not its scheduling. */
export function deliveryIn(about: About, [first, ...later]: readonly DeliveryEvent[]): DeliveryView | null {
  return first?.type === 'DeliveryScheduled' ? later.reduce(viewAfter, newDelivery(about, first)) : null;
}

function viewAfter(before: DeliveryView, event: DeliveryEvent): DeliveryView {
  if (event.type === 'EventFrozen' || event.type === 'DeliveryScheduled' || event.type === 'DeliveriesExpired') return before;
  const attempts = 'result' in event && event.result ? [...before.attempts, event.result] : before.attempts;
  return { ...before, ...evolveDelivery(before, event), attempts };
}
