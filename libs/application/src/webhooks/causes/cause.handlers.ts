import { QueryBus, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { DeliveryEvent } from '@domain/delivery/delivery.events';
import { resourceMissing } from '@domain/kernel/domain-error';
import { EventStore } from '@ports/event-store.port';
import { recordsOf } from '../../streams/stream-records.js';
import { FindEventOfDelivery } from '../delivery.commands.js';
import { deliveriesStream } from '../deliveries-stream.js';
import { EventChanges } from '../fan-out/event-changes.js';
import { causeChainOf } from './cause-chain.js';
import { GetCausesOfDelivery, GetCausesOfEvent, type CauseChain } from './cause.queries.js';

@QueryHandler(GetCausesOfEvent)
export class GetCausesOfEventHandler implements IQueryHandler<GetCausesOfEvent> {
  constructor(
    private readonly changes: EventChanges,
    private readonly store: EventStore,
  ) {}

  async execute({ projectId, eventId }: GetCausesOfEvent): Promise<CauseChain> {
    return causeChainOf(this.store, await this.changes.changeOf(projectId, eventId));
  }
}

@QueryHandler(GetCausesOfDelivery)
export class GetCausesOfDeliveryHandler implements IQueryHandler<GetCausesOfDelivery> {
  constructor(
    private readonly queries: QueryBus,
    private readonly store: EventStore,
  ) {}

  async execute({ projectId, deliveryId }: GetCausesOfDelivery): Promise<CauseChain> {
    const eventId = await this.queries.execute(new FindEventOfDelivery(projectId, deliveryId));
    for await (const record of recordsOf<DeliveryEvent>(this.store, deliveriesStream(eventId), 'desc')) {
      const { event } = record;
      if (event.type === 'DeliveryScheduled' && event.deliveryId === deliveryId) return causeChainOf(this.store, record);
    }
    throw resourceMissing('delivery');
  }
}
