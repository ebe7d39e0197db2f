import { evolveDelivery, isFinished, scheduledDelivery, type Delivery } from './delivery.js';
import type { DeliveryEvent, FrozenEvent } from './delivery.events.js';

/** A delivery with the number of stream events before its own. */
export interface PlacedDelivery extends Delivery {
  readonly place: number;
}

type AboutOne = Exclude<DeliveryEvent, { readonly type: 'EventFrozen' | 'DeliveriesExpired' }>;

export interface EventDeliveries {
  readonly event: Omit<FrozenEvent, 'body'> | null;
  readonly deliveries: readonly PlacedDelivery[];
  readonly expired: boolean;
  readonly lastEventAt: number;
  readonly length: number;
}

/** Whether only a replay would send again. */
export function allFinished({ deliveries }: EventDeliveries): boolean {
  return deliveries.every(isFinished);
}

/** Folds onto one copy of the deliveries: an event may have been replayed thousands of times. */
export function evolveAll(state: EventDeliveries, events: readonly DeliveryEvent[]): EventDeliveries {
  const deliveries = [...state.deliveries];
  let { event, expired, lastEventAt, length } = state;
  for (const each of events) {
    if (each.type === 'EventFrozen') event = frozenEvent(each);
    else if (each.type === 'DeliveriesExpired') expired = true;
    else if (each.type !== 'DeliveryExpired') noteIn(deliveries, each, length);
    lastEventAt = each.at;
    length += 1;
  }
  return { event, deliveries, expired, lastEventAt, length };
}

function frozenEvent({ eventId, projectId, eventType, appointmentId, emittedAt, test }: FrozenEvent): EventDeliveries['event'] {
  return { eventId, projectId, eventType, appointmentId, emittedAt, test };
}

function noteIn(deliveries: PlacedDelivery[], event: AboutOne, place: number): void {
  if (event.type === 'DeliveryScheduled') {
    deliveries.push({ place, ...scheduledDelivery(event) });
    return;
  }
  const index = deliveries.findLastIndex(({ id }) => id === event.deliveryId);
  const before = deliveries[index];
  if (before) deliveries[index] = { place: before.place, ...evolveDelivery(before, event) };
}

export interface Addressee {
  readonly projectId: string;
  readonly endpointId: string;
  readonly appointmentId: string;
}

export function isForeign({ event, deliveries }: EventDeliveries, deliveryId: string, about: Addressee): boolean {
  const delivery = deliveries.find(({ id }) => id === deliveryId);
  if (!event || !delivery) return false;
  const { projectId, endpointId, appointmentId } = about;
  return event.projectId !== projectId || delivery.endpointId !== endpointId || event.appointmentId !== appointmentId;
}

export function deliveryOf({ deliveries }: EventDeliveries, deliveryId: string): Delivery | undefined {
  return deliveries.find(({ id }) => id === deliveryId);
}
