import { Injectable } from '@nestjs/common';
import type { AppointmentEvent } from '@domain/appointment/appointment.events';
import { wanting, type Endpoints } from '@domain/endpoint/endpoint';
import { isExpired } from '@domain/event/event-window';
import { Clock } from '@ports/clock.port';
import type { Recorded } from '@ports/event-store.port';
import { NO_TRACER, Tracer, type Span } from '@ports/tracer.port';
import { causedBy } from '../../runtime/caused-by.js';
import { tracedBy } from '../../runtime/traced.js';
import { EmittedEvents } from './emitted-events.js';
import { causeIn, dueSince, type DeliveryPointer } from '../delivery-pointer.js';
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
    private readonly tracer: Tracer = NO_TRACER,
  ) {}

  /** Pointers to the deliveries, except those that wait for a paused endpoint; none for an event past its retention, which is no longer scheduled. */
  fanOut(change: Recorded<AppointmentEvent>, endpoints: Endpoints): Promise<readonly DeliveryPointer[]> {
    const schedule = (span: Span) => this.schedule(change, endpoints, span);
    const { event, metadata } = change;
    return this.tracer.run('fan-out', { project_id: event.projectId }, schedule, { parent: metadata?.traceparent });
  }

  private async schedule(
    change: Recorded<AppointmentEvent>,
    endpoints: Endpoints,
    span: Span,
  ): Promise<readonly DeliveryPointer[]> {
    const now = this.clock.now();
    const event = isExpired(change.event.at, now) ? null : await this.emitted.eventOf(change);
    if (!event) return [];
    const { eventId, projectId, appointmentId, eventType } = event;
    const deliveries = wanting(endpoints, eventType).map((endpoint) => this.scheduling.firstDelivery(endpoint, event, now));
    const cause = { ...causedBy(change), $correlationId: change.event.cause.correlationId };
    // A process that traces nothing leaves the trace of a delivery whole.
    const envelope = tracedBy(span.traceparent ?? change.metadata?.traceparent, cause);
    span.set({ event_id: eventId, event_type: eventType, deliveries: deliveries.length });
    await this.streams.freeze({ type: 'FreezeEvent', at: now, event, deliveries }, envelope);
    const due = deliveries.filter(({ paused }) => !paused);
    return due.map(({ deliveryId, endpointId, dueAt }) =>
      dueSince({ eventId, deliveryId, projectId, endpointId, appointmentId, attempt: 1, dueAt, ...causeIn(envelope) }, now),
    );
  }
}
