import { Injectable } from '@nestjs/common';
import type { AppointmentEvent } from '@domain/appointment/appointment.events';
import { emittedType } from '@domain/appointment/emission';
import type { DeliveryEvent } from '@domain/delivery/delivery.events';
import type { Endpoints } from '@domain/endpoint/endpoint';
import { START, type Position, type Recorded } from '@ports/event-store.port';
import { categoryOf, idIn } from '@ports/stream-name';
import type { Reactor } from '../reactors/reactor.js';
import { AttemptSteps } from './attempt-steps.js';
import type { DeliveryPointer } from './delivery-pointer.js';
import { DeliveryTopics } from './delivery-topics.js';
import { EndpointHistory } from './endpoint-history.js';
import { EventFanOut } from './event-fan-out.js';

type Change = Recorded<AppointmentEvent>;
type Request = Recorded<Extract<DeliveryEvent, { type: 'DeliveryScheduled' }>>;
type Snapshots = ReadonlyMap<string, (position: Position) => Endpoints>;

const AT_ONCE = 128;

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

  async handle(events: readonly Recorded[], signal: AbortSignal): Promise<void> {
    const wanted = events.filter((record): record is Change | Request => isEmitting(record) || isRequest(record));
    const snapshots = await this.snapshotsFor(wanted.filter(isEmitting));
    for (let first = 0; first < wanted.length; first += AT_ONCE) {
      signal.throwIfAborted();
      const pointers = await Promise.all(wanted.slice(first, first + AT_ONCE).map((each) => this.react(each, snapshots)));
      await this.steps.reached('schedule');
      await this.topics.publish(pointers.flat());
      await this.steps.reached('publish');
    }
  }

  private async react(record: Change | Request, snapshots: Snapshots): Promise<readonly DeliveryPointer[]> {
    if (isRequest(record)) return [pointerTo(record)];
    const snapshot = snapshots.get(record.event.projectId);
    return snapshot ? this.fanOut.fanOut(record, snapshot(record.position)) : [];
  }

  private async snapshotsFor(events: readonly Change[]): Promise<Snapshots> {
    const from = events[0]?.position ?? START;
    const projectIds = [...new Set(events.map(({ event }) => event.projectId))];
    return new Map(await Promise.all(projectIds.map(async (id) => [id, await this.history.endpointsOf(id, from)] as const)));
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
