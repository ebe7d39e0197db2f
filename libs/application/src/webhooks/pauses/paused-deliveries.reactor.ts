import { Injectable } from '@nestjs/common';
import type { DeliveryEvent } from '@domain/delivery/delivery.events';
import { deliveryOf } from '@domain/delivery/event-deliveries';
import type { EndpointEvent } from '@domain/endpoint/endpoint.events';
import type { Envelope } from '@domain/kernel/envelope';
import { Clock } from '@ports/clock.port';
import type { Recorded } from '@ports/event-store.port';
import { idIn, streamCategory } from '@ports/stream-category';
import { causedBy } from '../../runtime/caused-by.js';
import type { Reactor } from '../../runtime/reactor.js';
import { causeIn, dueNow, type DeliveryPointer } from '../delivery-pointer.js';
import { DeliveryStreams } from '../delivery-streams.js';
import { DeliveryTopics } from '../delivery-topics.js';
import { DueDeliveries } from '../due-deliveries.js';
import { EndpointDirectory } from '../endpoints/endpoint-directory.js';

/** Concurrent appends. */
const AT_ONCE = 500;

/** The endpoint was paused, resumed or enabled. */
type Turn = Recorded<EndpointEvent>;
/** A delivery was paused when it was due, or when it was scheduled. */
type Mark = Recorded<Extract<DeliveryEvent, { readonly type: 'DeliveryPaused' | 'DeliveryScheduled' }>>;

type Target = Pick<DeliveryPointer, 'projectId' | 'endpointId'>;
type Paused = Pick<DeliveryPointer, 'eventId' | 'deliveryId'> & Partial<DeliveryPointer>;

/**
 * Pauses what waits for a paused endpoint, and resumes it with the endpoint. Whoever pauses a single delivery has read the endpoint as
 * paused, which may be over by the time of the append; but this reactor comes by that event too, and after it reads the endpoint.
 * So none waits for an endpoint that is not paused: of one that is disabled or deleted the next claim cancels it.
 */
@Injectable()
export class PausedDeliveriesReactor implements Reactor {
  readonly name = 'paused-deliveries';
  readonly categories = ['endpoints', 'deliveries'];

  constructor(
    private readonly found: DueDeliveries,
    private readonly streams: DeliveryStreams,
    private readonly topics: DeliveryTopics,
    private readonly endpoints: EndpointDirectory,
    private readonly clock: Clock,
  ) {}

  partitionKey(record: Recorded): string | null {
    return isTurn(record) || isMark(record) ? record.event.endpointId : null;
  }

  /** The events are of one endpoint. Only its newest status counts, as the rows are newer than all of them. */
  async handle(events: readonly Recorded[], signal: AbortSignal): Promise<void> {
    const turn = events.findLast(isTurn);
    if (turn) await this.follow(turn, signal);
    const marks = events.filter(isMark);
    const [first] = marks;
    if (!first || (await this.statusOf(first.event)) === 'paused') return;
    for (let from = 0; from < marks.length; from += AT_ONCE) {
      signal.throwIfAborted();
      await this.resume(marks.slice(from, from + AT_ONCE).map((mark) => [pausedBy(mark), causedBy(mark)]));
    }
  }

  private async follow(turn: Turn, signal: AbortSignal): Promise<void> {
    const endpoint = { projectId: idIn(turn.stream), endpointId: turn.event.endpointId };
    const status = await this.statusOf(endpoint);
    if (status !== 'paused' && status !== 'enabled') return;
    const envelope = causedBy(turn);
    for await (const waiting of this.found.waitingPages(endpoint, status === 'enabled', signal)) {
      // The event of the next change follows.
      if ((await this.statusOf(endpoint)) !== status) return;
      if (status === 'enabled') await this.resume(waiting.map((pointer) => [pointer, envelope]));
      else await Promise.all(waiting.map((pointer) => this.pause(pointer, envelope)));
    }
  }

  private async statusOf({ projectId, endpointId }: Target) {
    return (await this.endpoints.newest(projectId, endpointId))?.status;
  }

  private pause({ eventId, deliveryId }: DeliveryPointer, envelope: Envelope): Promise<unknown> {
    return this.streams.submit(eventId, { type: 'PauseDelivery', at: this.clock.now(), deliveryId }, envelope);
  }

  private async resume(all: readonly (readonly [Paused, Envelope])[]): Promise<void> {
    const resumed = await Promise.all(all.map(([paused, envelope]) => this.resumeOne(paused, envelope)));
    await this.topics.publish(resumed.filter((pointer) => pointer !== null));
  }

  /** Null for what waits no more. A pointer that a crash loses is found by the overdue sweeper. */
  private async resumeOne({ eventId, deliveryId, ...known }: Paused, envelope: Envelope): Promise<DeliveryPointer | null> {
    const command = { type: 'ResumeDelivery', at: this.clock.now(), deliveryId } as const;
    const { events, state } = await this.streams.submit(eventId, command, envelope);
    const delivery = deliveryOf(state, deliveryId);
    const isResumed = events.some((event) => event.type === 'DeliveryResumed' && event.deliveryId === deliveryId);
    if (!isResumed || !delivery || !state.event) return null;
    const { projectId, appointmentId } = state.event;
    const { endpointId, attemptCount } = delivery;
    const about = { eventId, deliveryId, projectId, endpointId, appointmentId };
    return dueNow({ ...known, ...about, attempt: attemptCount + 1, dueAt: 0 });
  }
}

function pausedBy({ stream, event, metadata }: Mark): Paused {
  return { eventId: idIn(stream), deliveryId: event.deliveryId, ...causeIn(metadata) };
}

function isTurn(record: Recorded): record is Turn {
  if (streamCategory(record.stream) !== 'endpoints') return false;
  const event = record.event as EndpointEvent;
  if (event.type === 'EndpointUpdated') return event.changes.status === 'enabled';
  return event.type === 'EndpointPaused' || event.type === 'EndpointResumed';
}

function isMark(record: Recorded): record is Mark {
  const event = record.event as DeliveryEvent;
  return event.type === 'DeliveryPaused' || (event.type === 'DeliveryScheduled' && event.paused === true);
}
