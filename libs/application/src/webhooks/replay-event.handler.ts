import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { EventDeliveries } from '@domain/delivery/event-deliveries';
import { endpointDisabled, endpointOf, wanting, type Endpoint } from '@domain/endpoint/endpoint';
import { resourceMissing } from '@domain/kernel/domain-error';
import { Clock } from '@ports/clock.port';
import { Ids } from '@ports/ids.port';
import { idFor, type RequestContext } from '../runtime/request-context.js';
import { DeliveryStreams } from './delivery-streams.js';
import type { DeliveryView } from './delivery-view.js';
import { ReplayEvent } from './delivery.commands.js';
import { EndpointDirectory } from './endpoints/endpoint-directory.js';
import { FannedOutEvents } from './fan-out/fanned-out-events.js';
import { NewDeliveries } from './new-deliveries.js';

@CommandHandler(ReplayEvent)
export class ReplayEventHandler implements ICommandHandler<ReplayEvent> {
  constructor(
    private readonly events: FannedOutEvents,
    private readonly streams: DeliveryStreams,
    private readonly endpoints: EndpointDirectory,
    private readonly scheduling: NewDeliveries,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  async execute({ context, eventId, endpointIds }: ReplayEvent): Promise<readonly DeliveryView[]> {
    const { event, ...state } = await this.events.load(context.projectId, eventId);
    const earlier = context.isRetry ? this.madeBefore(context, state) : [];
    if (earlier.length > 0) return this.streams.views(event, earlier);
    const endpoints = await this.addressees(context.projectId, event.eventType, endpointIds);
    if (endpoints.length === 0) return [];
    const at = this.clock.now();
    const replays = endpoints.map((endpoint) =>
      this.scheduling.newDelivery(endpoint, this.replayId(context, endpoint.id), 'replay', at),
    );
    await this.streams.run(eventId, { type: 'ReplayEvent', at, replays }, context);
    return this.streams.views(
      event,
      replays.map(({ deliveryId }) => deliveryId),
    );
  }

  /** An earlier execution stored all of its deliveries in one append. */
  private madeBefore(context: RequestContext, { deliveries }: Pick<EventDeliveries, 'deliveries'>): readonly string[] {
    const derived = new Set([...new Set(deliveries.map(({ endpointId }) => endpointId))].map((id) => this.replayId(context, id)));
    return deliveries.flatMap(({ id }) => (derived.has(id) ? [id] : []));
  }

  private async addressees(projectId: string, eventType: string, ids: readonly string[] | null): Promise<readonly Endpoint[]> {
    const all = await this.endpoints.all(projectId);
    if (ids === null) return wanting(all, eventType);
    return [...new Set(ids)].map((id) => {
      const endpoint = endpointOf(all, id);
      if (!endpoint) throw resourceMissing('webhook endpoint', 'endpoint_ids');
      if (endpoint.status === 'disabled') throw endpointDisabled();
      return endpoint;
    });
  }

  private replayId(context: RequestContext, endpointId: string): string {
    return idFor(this.ids, context, 'delivery', `replay ${endpointId}`);
  }
}
