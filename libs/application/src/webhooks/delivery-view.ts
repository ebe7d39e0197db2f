import { evolveDelivery, scheduledDelivery, type Delivery } from '@domain/delivery/delivery';
import type { AttemptResult, DeliveryEvent, FrozenEvent } from '@domain/delivery/delivery.events';

/** A delivery with everything its attempts came to. */
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

/** A delivery as its own events tell it, oldest first; null when they do not begin with its beginning. */
export function deliveryIn(about: About, [first, ...later]: readonly DeliveryEvent[]): DeliveryView | null {
  return first?.type === 'DeliveryScheduled' ? later.reduce(viewAfter, newDelivery(about, first)) : null;
}

function viewAfter(before: DeliveryView, event: DeliveryEvent): DeliveryView {
  if (event.type === 'EventFrozen' || event.type === 'DeliveryScheduled' || event.type === 'DeliveriesExpired') return before;
  const attempts = 'result' in event && event.result ? [...before.attempts, event.result] : before.attempts;
  return { ...before, ...evolveDelivery(before, event), attempts };
}
