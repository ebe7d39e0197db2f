import type { DeliveryEvent, FrozenEvent, NewDelivery } from './delivery.events.js';

export function scheduled(
  { projectId, eventType, appointmentId }: Omit<FrozenEvent, 'body'>,
  delivery: NewDelivery,
  at: number,
): DeliveryEvent {
  return { type: 'DeliveryScheduled', at, projectId, eventType, appointmentId, ...delivery };
}
