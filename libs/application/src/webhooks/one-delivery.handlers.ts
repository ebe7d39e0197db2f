import { CommandHandler, QueryBus, QueryHandler, type ICommandHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { EventDeliveries } from '@domain/delivery/event-deliveries';
import { eventExpired, isExpired } from '@domain/event/event-window';
import { resourceMissing } from '@domain/kernel/domain-error';
import { isId } from '@domain/kernel/ids';
import { Clock } from '@ports/clock.port';
import { GetRow } from '../read-models/get-row.query.js';
import { TrustedTime } from '../runtime/log-time.js';
import { deliveriesProjection } from './deliveries.projection.js';
import { DeliveryStreams } from './delivery-streams.js';
import type { DeliveryOfEvent } from './delivery-view.js';
import { CancelDelivery, FindEventOfDelivery, GetDelivery } from './delivery.commands.js';

@QueryHandler(FindEventOfDelivery)
export class FindEventOfDeliveryHandler implements IQueryHandler<FindEventOfDelivery> {
  constructor(private readonly queries: QueryBus) {}

  async execute({ projectId, deliveryId }: FindEventOfDelivery): Promise<string> {
    const isOne = isId('delivery', deliveryId);
    const row = isOne ? await this.queries.execute(new GetRow(deliveriesProjection, projectId, deliveryId)) : null;
    if (!row) throw resourceMissing('delivery');
    if (row.deleted) throw eventExpired();
    return row.row.eventId;
  }
}

@QueryHandler(GetDelivery)
export class GetDeliveryHandler implements IQueryHandler<GetDelivery> {
  constructor(
    private readonly streams: DeliveryStreams,
    private readonly time: TrustedTime,
  ) {}

  async execute({ projectId, eventId, deliveryId }: GetDelivery): Promise<DeliveryOfEvent> {
    const event = eventIn(await this.streams.load(eventId), projectId, this.time.now());
    return ofEvent(this.streams, event, deliveryId);
  }
}

@CommandHandler(CancelDelivery)
export class CancelDeliveryHandler implements ICommandHandler<CancelDelivery> {
  constructor(
    private readonly streams: DeliveryStreams,
    private readonly clock: Clock,
  ) {}

  async execute({ context, eventId, deliveryId }: CancelDelivery): Promise<DeliveryOfEvent> {
    const at = this.clock.now();
    const event = eventIn(await this.streams.load(eventId), context.projectId, at);
    await this.streams.run(eventId, { type: 'CancelOnRequest', at, deliveryId }, context);
    return ofEvent(this.streams, event, deliveryId);
  }
}

type KnownEvent = NonNullable<EventDeliveries['event']>;

/** A stream that is gone was dropped after its event had expired. */
function eventIn({ event }: EventDeliveries, projectId: string, now: number): KnownEvent {
  if (event && event.projectId !== projectId) throw resourceMissing('delivery');
  if (!event || isExpired(event.emittedAt, now)) throw eventExpired();
  return event;
}

async function ofEvent(streams: DeliveryStreams, event: KnownEvent, deliveryId: string): Promise<DeliveryOfEvent> {
  const [delivery] = await streams.views(event, [deliveryId]);
  if (!delivery) throw resourceMissing('delivery');
  return { delivery, event };
}
