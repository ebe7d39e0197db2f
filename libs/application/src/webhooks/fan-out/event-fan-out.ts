import { Injectable } from '@nestjs/common';
import type { AppointmentEvent } from '@domain/appointment/appointment.events';
import { wanting, type Endpoints } from '@domain/endpoint/endpoint';
import { isExpired } from '@domain/event/event-window';
import { Clock } from '@ports/clock.port';
import type { Recorded } from '@ports/event-store.port';
import { causedBy } from '../../runtime/caused-by.js';
import { EmittedEvents } from './emitted-events.js';
import { dueSince, type DeliveryPointer } from '../delivery-pointer.js';
import { DeliveryStreams } from '../delivery-streams.js';
import { NewDeliveries } from '../new-deliveries.js';

/** Freezes the event that a change emits and schedules its deliveries, once however often it is called. */
@Injectable()
export class EventFanOut {
  constructor(
    private readonly emitted: EmittedEvents,
    private readonly scheduling: NewDeliveries,
    private readonly streams: DeliveryStreams,
    private readonly clock: Clock,
  ) {}

  /** Pointers to the deliveries, for the endpoints given; none for an event past its retention, which is not scheduled any more. */
  async fanOut(change: Recorded<AppointmentEvent>, endpoints: Endpoints): Promise<readonly DeliveryPointer[]> {
    const now = this.clock.now();
    const event = isExpired(change.event.at, now) ? null : await this.emitted.eventOf(change);
    if (!event) return [];
    const { eventId, projectId, appointmentId, eventType } = event;
    const deliveries = wanting(endpoints, eventType).map((endpoint) => this.scheduling.firstDelivery(endpoint, event, now));
    const envelope = { ...causedBy(change), $correlationId: change.event.cause.correlationId };
    const { $correlationId: correlationId } = envelope;
    await this.streams.freeze({ type: 'FreezeEvent', at: now, event, deliveries }, envelope);
    return deliveries.map(({ deliveryId, endpointId, dueAt }) =>
      dueSince({ eventId, deliveryId, projectId, endpointId, appointmentId, attempt: 1, dueAt, correlationId }, now),
    );
  }
}
