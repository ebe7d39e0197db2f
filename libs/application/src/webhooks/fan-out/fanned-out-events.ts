import { Injectable } from '@nestjs/common';
import type { FrozenEvent } from '@domain/delivery/delivery.events';
import type { EventDeliveries } from '@domain/delivery/event-deliveries';
import { eventExpired, isExpired } from '@domain/event/event-window';
import { resourceMissing } from '@domain/kernel/domain-error';
import { isId } from '@domain/kernel/ids';
import { Clock } from '@ports/clock.port';
import { DeliveryStreams } from '../delivery-streams.js';
import { EndpointHistory } from './endpoint-history.js';
import { EventChanges } from './event-changes.js';
import { EventFanOut } from './event-fan-out.js';

export interface FannedOutEvent extends EventDeliveries {
  readonly event: Omit<FrozenEvent, 'body'>;
}

/** Events with their deliveries. One that the reactor has not come to is fanned out here: the reactor then finds it done. */
@Injectable()
export class FannedOutEvents {
  constructor(
    private readonly streams: DeliveryStreams,
    private readonly changes: EventChanges,
    private readonly history: EndpointHistory,
    private readonly fanOut: EventFanOut,
    private readonly clock: Clock,
  ) {}

  /** Rejects with `resource_missing`, also for the sample event of a test, and with `event_expired`. */
  async load(projectId: string, eventId: string): Promise<FannedOutEvent> {
    if (!isId('event', eventId)) throw resourceMissing('event');
    let { event, ...others } = await this.streams.load(eventId);
    if (!event) {
      await this.fanOutNow(projectId, eventId);
      ({ event, ...others } = await this.streams.load(eventId));
    }
    if (event?.projectId !== projectId || event.test) throw resourceMissing('event');
    if (isExpired(event.emittedAt, this.clock.now())) throw eventExpired();
    return { event, ...others };
  }

  private async fanOutNow(projectId: string, eventId: string): Promise<void> {
    const change = await this.changes.changeOf(projectId, eventId);
    const endpointsAt = await this.history.endpointsOf(projectId, change.position);
    await this.fanOut.fanOut(change, endpointsAt(change.position));
  }
}
