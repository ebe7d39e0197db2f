import { Injectable } from '@nestjs/common';
import type { DeliveryTrigger, FrozenEvent, NewDelivery } from '@domain/delivery/delivery.events';
import { firstDueAt, OVERDUE_AFTER_MS } from '@domain/delivery/retry-policy';
import type { Endpoint } from '@domain/endpoint/endpoint';
import { Ids } from '@ports/ids.port';
import { Settings } from '@ports/settings.port';
import { idFor, type RequestContext } from '../runtime/request-context.js';

@Injectable()
export class NewDeliveries {
  constructor(
    private readonly settings: Settings,
    private readonly ids: Ids,
  ) {}

  firstDelivery(endpoint: Endpoint, event: FrozenEvent, at: number): NewDelivery {
    return this.newDelivery(endpoint, this.firstIdOf(event, endpoint.id), 'event', at);
  }

  /** Derives from event and endpoint, so that the first delivery is never scheduled twice. */
  firstIdOf({ eventId, emittedAt }: Pick<FrozenEvent, 'eventId' | 'emittedAt'>, endpointId: string): string {
    return this.ids.derived('delivery', emittedAt, eventId, endpointId);
  }

  /** The same for every execution under one key. */
  replayIdOf(context: RequestContext): string {
    return idFor(this.ids, context, 'delivery', 'replay');
  }

  /** To a paused endpoint it waits for the resumption, unless it is a test. */
  newDelivery(
    { id: endpointId, url, disablings, status }: Endpoint,
    deliveryId: string,
    trigger: DeliveryTrigger,
    at: number,
  ): NewDelivery {
    const { retrySchedule } = this.settings;
    const dueAt = firstDueAt(retrySchedule, at);
    const overdueAt = dueAt + OVERDUE_AFTER_MS;
    const maxAttempts = retrySchedule.waits.length;
    const paused = status === 'paused' && trigger !== 'test' && ({ paused: true } as const);
    return { deliveryId, endpointId, url, trigger, replayOf: null, dueAt, overdueAt, maxAttempts, disablings, ...paused };
  }
}
