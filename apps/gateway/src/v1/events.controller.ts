import { Body, Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { ListEventDeliveries, ReplayDelivery } from '@application/webhooks/delivery.commands';
import { ExplainEvent } from '@application/webhooks/explain/explain.queries';
import { GetEvent, ListEvents } from '@application/webhooks/fan-out/event.queries';
import { toEventAnswer } from '@application/webhooks/fan-out/event.resource';
import { EVENT_WINDOW_DAYS } from '@domain/event/event-window';
import type { JsonText } from '@domain/kernel/json-text';
import { readFilter } from '../http/paging/list-filters.js';
import { toList, type ListResource } from '../http/paging/list.resource.js';
import { readPage, readTimedPage } from '../http/paging/read-page.js';
import { Client, type ClientRequest } from '../http/pipeline/request-state.js';
import { ListRoute, Route } from '../http/routes/route.js';
import { DeliveryResource, toDeliveryResource } from './delivery.resource.js';
import { DELIVERY_FILTERS, EVENT_FILTERS, readEventTypes } from './event-filters.js';
import { EventExplanationResource, toEventExplanationResource } from './event-explanation.resource.js';
import { EventResource } from './event.resource.js';
import { ReplayDto, ReplayEventDto } from './events.dto.js';

@ApiTags('Events')
@Controller('v1/events')
export class EventsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  @ListRoute({
    scope: 'events:read',
    summary: `List the events of the last ${EVENT_WINDOW_DAYS} days, delivered or not`,
    filters: EVENT_FILTERS,
    resource: EventResource,
    kind: 'event',
  })
  async list(@Client() { caller, query }: ClientRequest): Promise<ListResource<JsonText>> {
    const { type: _type, 'types[]': _types, ...others } = EVENT_FILTERS;
    const [conditions = []] = readFilter(query, others);
    const list = new ListEvents(caller.projectId, readEventTypes(query), conditions, readPage(query));
    return toList(await this.queries.execute(list), toEventAnswer);
  }

  @Get(':id')
  @Route({
    scope: 'events:read',
    rate: 'read',
    summary: 'Retrieve an event',
    answers: [{ status: 200, description: 'The event, and how its deliveries went.', resource: EventResource }],
    errors: ['resource_missing', 'event_expired'],
  })
  async get(@Client() { caller, params }: ClientRequest): Promise<JsonText> {
    return toEventAnswer(await this.queries.execute(new GetEvent(caller.projectId, params['id'] ?? '')));
  }

  @Get(':id/explain')
  @Route({
    scope: 'events:read',
    rate: 'read',
    name: 'explainEvent',
    summary: 'Explain why an event reached each endpoint, or did not',
    answers: [{ status: 200, description: 'Each endpoint, and why.', resource: EventExplanationResource }],
    errors: ['resource_missing', 'event_expired'],
  })
  async explain(@Client() { caller, params }: ClientRequest): Promise<EventExplanationResource> {
    const id = params['id'] ?? '';
    return toEventExplanationResource(id, await this.queries.execute(new ExplainEvent(caller.projectId, id)));
  }

  @Get(':id/deliveries')
  @ListRoute({
    scope: 'events:read',
    name: 'listEventDeliveries',
    summary: 'List the deliveries of an event, each with its attempts',
    filters: DELIVERY_FILTERS,
    resource: DeliveryResource,
    kind: 'delivery',
    errors: ['resource_missing', 'event_expired'],
  })
  async deliveries(@Client() { caller, params, query }: ClientRequest): Promise<ListResource<DeliveryResource>> {
    readFilter(query, DELIVERY_FILTERS);
    const endpointId = typeof query['endpoint_id'] === 'string' ? query['endpoint_id'] : null;
    const list = new ListEventDeliveries(caller.projectId, params['id'] ?? '', endpointId, readTimedPage(query));
    return toList(await this.queries.execute(list), toDeliveryResource);
  }

  @Post(':id/deliveries/:delivery_id/retry')
  @Route({
    scope: 'webhooks:write',
    rate: 'write',
    name: 'replayDelivery',
    summary: 'Replay a delivery: a fresh one with the same bytes',
    about:
      'Works for a delivery in any status. One that still waits is cancelled as `superseded`; one that is over stays as it was. The fresh one has the whole schedule of attempts before it.',
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
  async replay(@Client() { context, params }: ClientRequest): Promise<DeliveryResource> {
    return toDeliveryResource(
      await this.commands.execute(new ReplayDelivery(context, params['id'] ?? '', params['delivery_id'] ?? '')),
    );
  }

  @Post(':id/replay')
  @Route({
    scope: 'webhooks:write',
    rate: 'write',
    name: 'replayEvent',
    summary: 'Replay an event: a fresh delivery of the same bytes to each of several endpoints',
    about:
      'A delivery that still waits at one of them is cancelled as `superseded`. All fresh ones are made, or none. `replay_of` names the last delivery there, and is null where there was none.',
    body: ReplayEventDto,
    answers: [
      {
        status: 202,
        description: 'The fresh deliveries, on their way: all of them, in one page; none where no endpoint wants the event.',
        resource: DeliveryResource,
        list: 'delivery',
      },
    ],
    errors: ['resource_missing', 'event_expired', 'webhook_endpoint_disabled', 'limit_exceeded'],
  })
  async replayAll(
    @Client() { context, params }: ClientRequest,
    @Body() body: ReplayEventDto,
  ): Promise<ListResource<DeliveryResource>> {
    const items = await this.commands.execute(body.toCommand(context, params['id'] ?? ''));
    return toList({ items, hasMore: false, nextCursor: null }, toDeliveryResource);
  }
}
