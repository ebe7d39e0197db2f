import { Injectable } from '@nestjs/common';
import type { AppointmentEvent } from '@domain/appointment/appointment.events';
import { emittedType } from '@domain/appointment/emission';
import type { DeliveryEvent } from '@domain/delivery/delivery.events';
import type { Endpoints } from '@domain/endpoint/endpoint';
import type { Recorded } from '@ports/event-store.port';
import { streamCategory, idIn } from '@ports/stream-category';
import type { Reactor } from '../../runtime/reactor.js';
import { bulkOf, causeIn, dueSince, type DeliveryPointer } from '../delivery-pointer.js';
import { DeliveryTopics } from '../delivery-topics.js';
import { EndpointHistory } from './endpoint-history.js';
import { EventFanOut } from './event-fan-out.js';

type Change = Recorded<AppointmentEvent>;
type Request = Recorded<Extract<DeliveryEvent, { type: 'DeliveryScheduled' }>>;

interface MatchedEvent {
  readonly change: Change;
  readonly endpoints: Endpoints;
}

/** Events of one project stored at once: other projects' writes wait for them. */
const AT_ONCE = 256;

/** Schedules to the endpoints as of the event's position and publishes the pointers. Replays and tests are scheduled already. */
@Injectable()
export class FanOutReactor implements Reactor {
  readonly name = 'webhook-fan-out';
  readonly categories = ['appointment', 'deliveries'];

  constructor(
    private readonly fanOut: EventFanOut,
    private readonly history: EndpointHistory,
    private readonly topics: DeliveryTopics,
  ) {}

  partitionKey(record: Recorded): string | null {
    return isEmitting(record) || isRequest(record) ? record.event.projectId : null;
  }

  async handle(events: readonly Recorded[], signal: AbortSignal): Promise<void> {
    const requests = events.filter(isRequest);
    if (requests.length > 0) await this.topics.publish(requests.map(pointerTo));
    for (const part of partsOf(await this.matchedBy(events.filter(isEmitting)))) {
      signal.throwIfAborted();
      const scheduled = part.map(({ change, endpoints }) => this.fanOut.fanOut(change, endpoints));
      await this.topics.publish((await Promise.all(scheduled)).flat());
    }
  }

  private async matchedBy(changes: readonly Change[]): Promise<readonly MatchedEvent[]> {
    const [first] = changes;
    if (!first) return [];
    const endpointsAt = await this.history.endpointsOf(first.event.projectId, first.position);
    return changes.map((change) => ({ change, endpoints: endpointsAt(change.position) }));
  }
}

function* partsOf(all: readonly MatchedEvent[]): Generator<readonly MatchedEvent[]> {
  let part: MatchedEvent[] = [];
  let deliveries = 0;
  for (const matched of all) {
    part.push(matched);
    deliveries += 1 + matched.endpoints.endpoints.length;
    if (deliveries < AT_ONCE) continue;
    yield part;
    [part, deliveries] = [[], 0];
  }
  if (part.length > 0) yield part;
}

function isEmitting(record: Recorded): record is Change {
  return streamCategory(record.stream) === 'appointment' && emittedType((record as Change).event) !== null;
}

/** Most events of deliveries are neither replay nor test, and do not concern the fan-out; nor does what a paused endpoint gets. */
function isRequest(record: Recorded): record is Request {
  const event = record.event as DeliveryEvent | AppointmentEvent;
  return event.type === 'DeliveryScheduled' && event.trigger !== 'event' && !event.paused;
}

function pointerTo({ stream, event, metadata }: Request): DeliveryPointer {
  const { at, deliveryId, projectId, endpointId, appointmentId, dueAt, trigger } = event;
  const about = {
    eventId: idIn(stream),
    deliveryId,
    projectId,
    endpointId,
    appointmentId,
    attempt: 1,
    dueAt,
    ...bulkOf(trigger),
  };
  return dueSince({ ...about, ...causeIn(metadata) }, at);
}
