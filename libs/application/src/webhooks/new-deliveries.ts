import { Injectable } from '@nestjs/common';
import type { DeliveryTrigger, FrozenEvent, NewDelivery } from '@domain/delivery/delivery.events';
import { firstDueAt, OVERDUE_AFTER_MS } from '@domain/delivery/retry-policy';
import type { Endpoint } from '@domain/endpoint/endpoint';
import { Ids } from '@ports/ids.port';
import { Settings } from '@ports/settings.port';

/** Makes new deliveries. */
@Injectable()
export class NewDeliveries {
  constructor(
    private readonly settings: Settings,
    private readonly ids: Ids,
  ) {}

  /** The first delivery of an emitted event to an endpoint. Its id derives from both, so that it is never scheduled twice. */
  firstDelivery(endpoint: Endpoint, { eventId, emittedAt }: FrozenEvent, at: number): NewDelivery {
    return this.newDelivery(endpoint, this.ids.derived('delivery', emittedAt, eventId, endpoint.id), 'event', at);
  }

  newDelivery(
    { id: endpointId, url, disablings }: Endpoint,
    deliveryId: string,
    trigger: DeliveryTrigger,
    at: number,
  ): NewDelivery {
    const { retrySchedule } = this.settings;
    const dueAt = firstDueAt(retrySchedule, at);
    const overdueAt = dueAt + OVERDUE_AFTER_MS;
    const maxAttempts = retrySchedule.waits.length;
    return { deliveryId, endpointId, url, trigger, replayOf: null, dueAt, overdueAt, maxAttempts, disablings };
  }
}
