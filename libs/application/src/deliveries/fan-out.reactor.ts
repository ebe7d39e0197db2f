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
    const wanted = events.filter(isOfInterest);
    const snapshots = await this.snapshotsFor(wanted.filter(isEmitting));
    for (let first = 0; first < wanted.length; first += AT_ONCE) {
      signal.throwIfAborted();
      const pointers = await Promise.all(wanted.slice(first, first + AT_ONCE).map((each) => this.react(each, snapshots)));
      await this.steps.reached('schedule');
      await this.topics.publish(pointers.flat());
      await this.steps.reached('publish');
    }
  }

  private async react(record: Recorded, snapshots: Snapshots): Promise<readonly DeliveryPointer[]> {
    if (!isEmitting(record)) return requested(record as Recorded<DeliveryEvent>);
    const snapshot = snapshots.get(record.event.projectId);
    return snapshot ? this.fanOut.of(record, snapshot(record.position)) : [];
  }

  private async snapshotsFor(events: readonly Recorded<AppointmentEvent>[]): Promise<Snapshots> {
    const from = events[0]?.position ?? START;
    const projectIds = [...new Set(events.map(({ event }) => event.projectId))];
    return new Map(await Promise.all(projectIds.map(async (id) => [id, await this.history.of(id, from)] as const)));
  }
}

/** Most are not: what deliveries come to is followed along with what was asked for. */
function isOfInterest(record: Recorded): boolean {
  return isOfLedger(record) ? isEmitting(record) : requested(record as Recorded<DeliveryEvent>).length > 0;
}

function isOfLedger(record: Recorded): record is Recorded<AppointmentEvent> {
  return categoryOf(record.stream) === 'appointment';
}

function isEmitting(record: Recorded): record is Recorded<AppointmentEvent> {
  return isOfLedger(record) && emittedType(record.event) !== null;
}

function requested({ stream, event }: Recorded<DeliveryEvent>): readonly DeliveryPointer[] {
  if (event.type !== 'DeliveryScheduled' || event.trigger === 'event') return [];
  const { deliveryId, projectId, endpointId, appointmentId, dueAt } = event;
  const eventId = idIn(stream);
  return [{ eventId, deliveryId, projectId, endpointId, appointmentId, attempt: 1, dueAt }];
}
