import { evolveDelivery, scheduledDelivery, type Delivery } from '@domain/delivery/delivery';
import type { AttemptResult, DeliveryEvent, FrozenEvent } from '@domain/delivery/delivery.events';

/** What lists show of a delivery. */
export interface DeliveryOutline extends Omit<Delivery, 'disablings'> {
  readonly eventId: string;
  readonly eventType: string;
}

export interface DeliveryView extends Delivery, DeliveryOutline {
  readonly attempts: readonly AttemptResult[];
}

/** A delivery with what it sends. */
export interface DeliveryOfEvent {
  readonly delivery: DeliveryView;
  readonly event: Pick<FrozenEvent, 'eventId' | 'eventType' | 'appointmentId' | 'emittedAt'>;
}

type About = Pick<FrozenEvent, 'eventId' | 'eventType'>;
type DeliveryScheduled = Extract<DeliveryEvent, { type: 'DeliveryScheduled' }>;

export function newDelivery({ eventId, eventType }: About, scheduled: DeliveryScheduled): DeliveryView {
  return { ...scheduledDelivery(scheduled), eventId, eventType, attempts: [] };
}

/** Folds the delivery's own events, oldest first; null when the first does not schedule it. */
export function deliveryIn(about: About, [first, ...later]: readonly DeliveryEvent[]): DeliveryView | null {
  return first?.type === 'DeliveryScheduled' ? later.reduce(viewAfter, newDelivery(about, first)) : null;
}

function viewAfter(before: DeliveryView, event: DeliveryEvent): DeliveryView {
  if (event.type === 'EventFrozen' || event.type === 'DeliveryScheduled' || event.type === 'DeliveriesExpired') return before;
  const attempts = 'result' in event && event.result ? [...before.attempts, event.result] : before.attempts;
  return { ...before, ...evolveDelivery(before, event), attempts };
}
