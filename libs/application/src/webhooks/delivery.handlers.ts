import { CommandHandler, QueryBus, QueryHandler, type ICommandHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { EventDeliveries, PlacedDelivery } from '@domain/delivery/event-deliveries';
import { eventExpired, isExpired } from '@domain/event/event-window';
import { endpointDisabled } from '@domain/endpoint/endpoint';
import { resourceMissing } from '@domain/kernel/domain-error';
import { isId } from '@domain/kernel/ids';
import { Clock } from '@ports/clock.port';
import { EventStore } from '@ports/event-store.port';
import type { SortKey } from '@ports/read-models.port';
import { sampledTraceparent } from '@ports/traceparent';
import { NO_TRACER, Tracer } from '@ports/tracer.port';
import type { ListKind } from '../paging/cursor.js';
import type { Page } from '../paging/page.js';
import { PagedLists, sortIdOf, sourceOf } from '../paging/paged-list.js';
import { TrustedTime } from '../runtime/log-time.js';
import { DeliveryStreams } from './delivery-streams.js';
import { newDelivery, type DeliveryView } from './delivery-view.js';
import { ListEventDeliveries, ReplayDelivery } from './delivery.commands.js';
import { EndpointDirectory } from './endpoints/endpoint-directory.js';
import { GetEvent } from './fan-out/event.queries.js';
import { NewDeliveries } from './new-deliveries.js';

const DELIVERIES: ListKind = { list: 'deliveries', idKind: 'delivery' };

@CommandHandler(ReplayDelivery)
export class ReplayDeliveryHandler implements ICommandHandler<ReplayDelivery> {
  constructor(
    private readonly streams: DeliveryStreams,
    private readonly endpoints: EndpointDirectory,
    private readonly scheduling: NewDeliveries,
    private readonly queries: QueryBus,
    private readonly clock: Clock,
    private readonly tracer: Tracer = NO_TRACER,
  ) {}

  async execute({ context, eventId, deliveryId }: ReplayDelivery): Promise<DeliveryView> {
    const { projectId } = context;
    if (!isId('event', eventId)) throw resourceMissing('event');
    const { event, deliveries } = await this.streams.load(eventId);
    // The stream of an event is dropped after it has expired; the query rejects for that, and for an unknown one.
    if (!event) await this.queries.execute(new GetEvent(projectId, eventId));
    if (!event) throw resourceMissing('delivery', 'delivery_id');
    if (event.projectId !== projectId) throw resourceMissing('event');
    const at = this.clock.now();
    if (isExpired(event.emittedAt, at)) throw eventExpired();
    const original = deliveries.find(({ id }) => id === deliveryId);
    if (!original) throw resourceMissing('delivery', 'delivery_id');
    // The replay is part of the trace of its own request.
    if (sampledTraceparent(this.tracer.traceparent)) this.tracer.link(await this.streams.traceparentOf(eventId));
    const replayId = this.scheduling.replayIdOf(context);
    if (context.isRetry && deliveries.some(({ id }) => id === replayId)) return viewOf(this.streams, eventId, replayId);
    const endpoint = await this.endpoints.load(projectId, original.endpointId);
    if (endpoint.status === 'disabled') throw endpointDisabled();
    const replay = this.scheduling.newDelivery(endpoint, replayId, 'replay', at);
    const command = { type: 'ReplayDelivery', at, deliveryId, replay } as const;
    const { events } = await this.streams.run(eventId, command, context);
    const last = events.at(-1);
    if (last?.type === 'DeliveryScheduled') return newDelivery(event, last);
    return viewOf(this.streams, eventId, replay.deliveryId);
  }
}

@QueryHandler(ListEventDeliveries)
export class ListEventDeliveriesHandler implements IQueryHandler<ListEventDeliveries> {
  constructor(
    private readonly streams: DeliveryStreams,
    private readonly queries: QueryBus,
    private readonly lists: PagedLists,
    private readonly store: EventStore,
    private readonly time: TrustedTime,
  ) {}

  async execute({ projectId, eventId, endpointId, page }: ListEventDeliveries): Promise<Page<DeliveryView>> {
    this.lists.judge(DELIVERIES, page);
    const { event, deliveries: all } = await this.found(projectId, eventId);
    const wanted = all.filter((delivery) => endpointId === null || delivery.endpointId === endpointId);
    const name = { ...DELIVERIES, log: `${await this.store.identity()}/${eventId}` };
    const source = sourceOf(name, wanted, keyOf, (id) => sourceOf(name, all, keyOf).find(id));
    const { items, ...rest } = await this.lists.page(source, page);
    const ids = items.map(({ id }) => id);
    return { ...rest, items: event ? await this.streams.views(event, ids) : [] };
  }

  /** An event that is not fanned out yet has no deliveries; the query rejects for an unknown one. */
  private async found(projectId: string, eventId: string): Promise<EventDeliveries> {
    if (!isId('event', eventId)) throw resourceMissing('event');
    const state = await this.streams.load(eventId);
    const { event } = state;
    if (event && event.projectId !== projectId) throw resourceMissing('event');
    if (event && isExpired(event.emittedAt, this.time.now())) throw eventExpired();
    if (!event) await this.queries.execute(new GetEvent(projectId, eventId));
    return state;
  }
}

/** Part of cursors that clients hold: it must never change. */
function keyOf({ createdAt, place }: PlacedDelivery): SortKey {
  return { createdAt, sortId: sortIdOf(place) };
}

/** For a delivery that is known to be stored. */
export async function viewOf(streams: DeliveryStreams, eventId: string, deliveryId: string): Promise<DeliveryView> {
  const { event } = await streams.load(eventId);
  const [found] = event ? await streams.views(event, [deliveryId]) : [];
  if (!found) throw resourceMissing('delivery', 'delivery_id');
  return found;
}
