import { Injectable } from '@nestjs/common';
import type { AppointmentEvent } from '@domain/appointment/appointment.events';
import { emittedType } from '@domain/appointment/emission';
import type { DeliveryEvent } from '@domain/delivery/delivery.events';
import type { Recorded } from '@ports/event-store.port';
import { categoryOf, idIn } from '@ports/stream-name';
import type { Reactor } from '../reactors/reactor.js';
import { AttemptSteps } from './attempt-steps.js';
import type { DeliveryPointer } from './delivery-pointer.js';
import { DeliveryTopics } from './delivery-topics.js';
import { EndpointHistory } from './endpoint-history.js';
import { EventFanOut } from './event-fan-out.js';

type Change = Recorded<AppointmentEvent>;
type Request = Recorded<Extract<DeliveryEvent, { type: 'DeliveryScheduled' }>>;

/**
 * Schedules what the ledger emits for the endpoints of that moment, and publishes where it is to be found. Replays and
 * tests were scheduled by whoever asked for them: of those only the latter is left to do.
 */
@Injectable()
export class FanOutReactor implements Reactor {
  readonly name = 'webhook-fan-out';
  readonly categories = ['appointment', 'deliveries'];

  constructor(
    private readonly fanOut: EventFanOut,
    private readonly history: EndpointHistory,
    private readonly topics: DeliveryTopics,
    private readonly steps: AttemptSteps,
  ) {}

  laneOf(record: Recorded): string | null {
    return isEmitting(record) || isRequest(record) ? record.event.projectId : null;
  }

  async handle(events: readonly Recorded[]): Promise<void> {
    const pointers = await this.schedule(events.filter(isEmitting));
    await this.steps.reached('schedule');
    await this.topics.publish([...pointers, ...events.filter(isRequest).map(pointerTo)]);
    await this.steps.reached('publish');
  }

  /** Changes of the one project whose lane it is. */
  private async schedule(changes: readonly Change[]): Promise<readonly DeliveryPointer[]> {
    const [first] = changes;
    if (!first) return [];
    const endpointsAt = await this.history.endpointsOf(first.event.projectId, first.position);
    const scheduled = changes.map((change) => this.fanOut.fanOut(change, endpointsAt(change.position)));
    return (await Promise.all(scheduled)).flat();
  }
}

function isEmitting(record: Recorded): record is Change {
  return categoryOf(record.stream) === 'appointment' && emittedType((record as Change).event) !== null;
}

/** A replay or a test; what else comes of deliveries is most of what is followed here, and none of our business. */
function isRequest(record: Recorded): record is Request {
  const event = record.event as DeliveryEvent | AppointmentEvent;
  return event.type === 'DeliveryScheduled' && event.trigger !== 'event';
}

function pointerTo({ stream, event }: Request): DeliveryPointer {
  const { deliveryId, projectId, endpointId, appointmentId, dueAt } = event;
  return { eventId: idIn(stream), deliveryId, projectId, endpointId, appointmentId, attempt: 1, dueAt };
}
