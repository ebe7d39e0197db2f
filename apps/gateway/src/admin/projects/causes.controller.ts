import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';
import { GetCausesOfDelivery, GetCausesOfEvent } from '@application/webhooks/causes/cause.queries';
import { ListEvents } from '@application/webhooks/fan-out/event.queries';
import { toEventAnswer } from '@application/webhooks/fan-out/event.resource';
import type { JsonText } from '@domain/kernel/json-text';
import { toList, type ListResource } from '../../http/paging/list.resource.js';
import { readPage } from '../../http/paging/read-page.js';
import { Client, type ClientRequest } from '../../http/pipeline/request-state.js';
import { AdminProjectListRoute, AdminProjectRoute } from '../../http/routes/route.js';
import { EventResource } from '../../v1/event.resource.js';
import { CauseChainResource, toCauseChainResource } from './cause-chain.resource.js';

const CHAIN = { status: 200, description: 'The stored events, each caused by the next.', resource: CauseChainResource } as const;

/** What led to an event or a delivery, and what a request led to; for administrators alone. */
@ApiTags('Events')
@Controller('admin/v1/projects/:project_id')
export class CausesController {
  constructor(private readonly queries: QueryBus) {}

  @Get('events/:id/causes')
  @AdminProjectRoute({
    name: 'getCausesOfEvent',
    summary: 'Follow an event back to what caused it',
    answers: [CHAIN],
    errors: ['resource_missing', 'event_expired'],
  })
  async ofEvent(@Client() { caller, params }: ClientRequest): Promise<CauseChainResource> {
    const id = params['id'] ?? '';
    return toCauseChainResource(id, await this.queries.execute(new GetCausesOfEvent(caller.projectId, id)));
  }

  @Get('deliveries/:id/causes')
  @AdminProjectRoute({
    name: 'getCausesOfDelivery',
    summary: 'Follow a delivery back to what caused it',
    answers: [CHAIN],
    errors: ['resource_missing', 'event_expired'],
  })
  async ofDelivery(@Client() { caller, params }: ClientRequest): Promise<CauseChainResource> {
    const id = params['id'] ?? '';
    return toCauseChainResource(id, await this.queries.execute(new GetCausesOfDelivery(caller.projectId, id)));
  }

  @Get('requests/:id/events')
  @AdminProjectListRoute({
    name: 'listEventsOfRequest',
    summary: 'List the events that a request caused, by its `Request-Id`; none where it caused none',
    filters: {},
    resource: EventResource,
    kind: 'event',
  })
  async ofRequest(@Client() { caller, params, query }: ClientRequest): Promise<ListResource<JsonText>> {
    const condition = { field: 'requestId', op: 'eq', value: params['id'] ?? '' } as const;
    const list = new ListEvents(caller.projectId, [], [condition], readPage(query));
    return toList(await this.queries.execute(list), toEventAnswer);
  }
}
