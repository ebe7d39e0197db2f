import { evolveDelivery, scheduledDelivery, type Delivery } from '@domain/delivery/delivery';
import type { AttemptResult, DeliveryEvent, FrozenEvent } from '@domain/delivery/delivery.events';
import type { Recorded } from '@ports/event-store.port';
import { sortIdOf } from '../projections/paged-list.js';

/** A delivery with everything its attempts came to. */
export interface DeliveryView extends Delivery {
  readonly eventId: string;
  readonly eventType: string;
  /** Finished ones, oldest first. */
  readonly attempts: readonly AttemptResult[];
  /** Its place among the deliveries of its event. */
  readonly sortId: string;
}

type About = Pick<FrozenEvent, 'eventId' | 'eventType'>;
type DeliveryScheduled = Extract<DeliveryEvent, { type: 'DeliveryScheduled' }>;

export interface EventDeliveriesView {
  readonly event: FrozenEvent | null;
  readonly deliveries: readonly DeliveryView[];
}

/** A delivery as it begins. */
export function newDelivery({ eventId, eventType }: About, scheduled: DeliveryScheduled, revision: number): DeliveryView {
  return { ...scheduledDelivery(scheduled), eventId, eventType, attempts: [], sortId: sortIdOf(revision) };
}

/** An event's deliveries as their stream tells them. */
export function deliveriesIn(records: readonly Recorded<DeliveryEvent>[]): EventDeliveriesView {
  let event: FrozenEvent | null = null;
  const deliveries = new Map<string, DeliveryView>();
  for (const { event: happened, revision } of records) {
    if (happened.type === 'EventFrozen') event = happened;
    else if (happened.type === 'DeliveryScheduled' && event) {
      deliveries.set(happened.deliveryId, newDelivery(event, happened, revision));
    } else if (happened.type !== 'DeliveryScheduled' && happened.type !== 'DeliveriesExpired') {
      const before = deliveries.get(happened.deliveryId);
      if (before)
        deliveries.set(happened.deliveryId, {
          ...before,
          ...evolveDelivery(before, happened),
          ...attemptsAfter(before, happened),
        });
    }
  }
  return { event, deliveries: [...deliveries.values()] };
}

function attemptsAfter({ attempts }: DeliveryView, event: DeliveryEvent): { readonly attempts: readonly AttemptResult[] } {
  return { attempts: 'result' in event && event.result ? [...attempts, event.result] : attempts };
}
