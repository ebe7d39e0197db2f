import { Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import {
  CancelDelivery,
  FindEventOfDelivery,
  GetDelivery,
  ListDeliveries,
  ReplayDelivery,
} from '@application/webhooks/delivery.commands';
import { readFilter } from '../http/paging/list-filters.js';
import { toList, type ListResource } from '../http/paging/list.resource.js';
import { readPage } from '../http/paging/read-page.js';
import { Client, type ClientRequest } from '../http/pipeline/request-state.js';
import { ListRoute, Route } from '../http/routes/route.js';
import {
  DeliveryOfEventResource,
  DeliveryOutlineResource,
  DeliveryResource,
  toDeliveryOfEvent,
  toDeliveryOutline,
  toDeliveryResource,
} from './delivery.resource.js';
import { CancelDeliveryDto } from './deliveries.dto.js';
import { ALL_DELIVERIES_FILTERS } from './event-filters.js';
import { ReplayDto } from './events.dto.js';

const DELIVERY = {
  status: 200,
  description: 'The delivery as it is now, and its event.',
  resource: DeliveryOfEventResource,
} as const;

@ApiTags('Deliveries')
@Controller('v1/deliveries')
export class DeliveriesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @ListRoute({
    scope: 'events:read',
    summary: 'List the deliveries of all events, without their attempts',
    about:
      'Each filter alone, and `endpoint_id` with `status`, finds a page at once. With other combinations a page looks at no more than 5,000 deliveries: it may be short, or empty with `has_more`, and its `next_cursor` goes on from there.',
    filters: ALL_DELIVERIES_FILTERS,
    resource: DeliveryOutlineResource,
    kind: 'delivery',
  })
  async list(@Client() { caller, query }: ClientRequest): Promise<ListResource<DeliveryOutlineResource>> {
    const [conditions = []] = readFilter(query, ALL_DELIVERIES_FILTERS);
    return toList(
      await this.queries.execute(new ListDeliveries(caller.projectId, conditions, readPage(query))),
      toDeliveryOutline,
    );
  }

  @Get(':id')
  @Route({
    scope: 'events:read',
    rate: 'read',
    name: 'getDelivery',
    summary: 'Retrieve a delivery with its attempts',
    answers: [DELIVERY],
    errors: ['resource_missing', 'event_expired'],
  })
  async get(@Client() { caller, params }: ClientRequest): Promise<DeliveryOfEventResource> {
    const { projectId, eventId, id } = await this.found(caller.projectId, params['id'] ?? '');
    return toDeliveryOfEvent(await this.queries.execute(new GetDelivery(projectId, eventId, id)));
  }

  @Post(':id/retry')
  @Route({
    scope: 'webhooks:write',
    rate: 'write',
    name: 'retryDelivery',
    summary: 'Replay a delivery: the same as under its event',
    body: ReplayDto,
    answers: [
      {
        status: 202,
        description:
          'A fresh delivery of the same event to the same endpoint, on its way; `replay_of` names the one that it repeats.',
        resource: DeliveryResource,
      },
    ],
    errors: ['resource_missing', 'event_expired', 'webhook_endpoint_disabled', 'limit_exceeded'],
  })
  async retry(@Client() { context, params }: ClientRequest): Promise<DeliveryResource> {
    const { eventId, id } = await this.found(context.projectId, params['id'] ?? '');
    return toDeliveryResource(await this.commands.execute(new ReplayDelivery(context, eventId, id)));
  }

  @Post(':id/cancel')
  @Route({
    scope: 'webhooks:write',
    rate: 'write',
    name: 'cancelDelivery',
    summary: 'Cancel a delivery that waits for an attempt',
    about:
      'A delivery that is `pending` or `retrying` becomes `cancelled`, as `cancelled_by_user`. One that was cancelled before stays as it is.',
    body: CancelDeliveryDto,
    answers: [DELIVERY],
    errors: ['resource_missing', 'event_expired', 'delivery_not_cancellable'],
  })
  async cancel(@Client() { context, params }: ClientRequest): Promise<DeliveryOfEventResource> {
    const { eventId, id } = await this.found(context.projectId, params['id'] ?? '');
    return toDeliveryOfEvent(await this.commands.execute(new CancelDelivery(context, eventId, id)));
  }

  private async found(projectId: string, id: string) {
    return { projectId, id, eventId: await this.queries.execute(new FindEventOfDelivery(projectId, id)) };
  }
}
